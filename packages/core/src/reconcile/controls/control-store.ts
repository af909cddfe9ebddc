import { CONFIG_MAPS, type KubeClient, type KubeObject, type Target } from "../../kube/client.ts";
import { isKubeError } from "../../kube/errors.ts";
import {
  type ControlRecord,
  changedTexts,
  EMPTY_RECORD,
  parseRecord,
  type RecordData,
  writeRecord,
} from "./control-record.ts";
import { mergeGuards } from "./merge-guards.ts";
import { type Edit, editAll, type WaitingEdit, waitingEdit } from "./waiting-edits.ts";

export const CONTROL_RECORD_NAME = "cloudwright-controls";

export interface ControlStoreOptions {
  /** Fenced, like all writes of a leader. */
  readonly client: Pick<KubeClient, "get" | "create" | "update">;
  /** The election namespace. */
  readonly namespace: string;
  /** Whether the store only reads, and keeps its own changes in memory. */
  readonly dryRun: boolean;
  /** Called with a sentence about unreadable content, once for each version of the ConfigMap. */
  onProblem(sentence: string): void;
  /** Called when the kept record has changed, by us or by somebody else. */
  onChange(now: ControlRecord, before: ControlRecord): void;
}

/**
 * The ConfigMap `cloudwright-controls` as this process sees and writes it. Edits made during a write are gathered
 * into the next one. Without permission the record lives in memory until it is granted.
 */
export class ControlStore {
  readonly #options: ControlStoreOptions;
  #kept: Kept = { object: undefined, stored: EMPTY_RECORD, record: EMPTY_RECORD };
  #shown: ControlRecord = EMPTY_RECORD;
  #waiting: WaitingEdit[] = [];
  #tail: Promise<void> = Promise.resolve();
  #unavailable: string | undefined;

  constructor(options: ControlStoreOptions) {
    this.#options = options;
  }

  /** Includes the edits that are still being written. */
  get record(): ControlRecord {
    return this.#shown;
  }

  /** Why the record is kept only in memory: the API server's message. */
  get unavailable(): string | undefined {
    return this.#unavailable;
  }

  /**
   * Resolves with the edit's answer once the record is written. Throws KubeError: then nothing of the edit holds. Without
   * permission, edits are kept in memory, except that one which must outlive this process fails with `Forbidden`.
   */
  update<Answer>(
    edit: Edit<Answer>,
    { mustOutlive = false }: { readonly mustOutlive?: boolean } = {},
  ): Promise<Answer> {
    this.#shown = edit(this.#shown).record;
    return new Promise((resolve, reject) => {
      this.#waiting.push(waitingEdit({ edit, mustOutlive, resolve, reject }));
      if (this.#waiting.length === 1) void this.#alone(() => this.#writeWaiting());
    });
  }

  /**
   * Reads the record again; if it could not be written for lack of permission, checks whether it can be now. Throws
   * KubeError.
   */
  refresh(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return this.#alone(async () => {
      try {
        await this.#read(call);
        if (this.#unavailable !== undefined && !this.#options.dryRun) {
          await this.#send(this.#kept.record);
        }
      } catch (error) {
        this.#liveInMemory(error);
      }
    });
  }

  /** Creates the ConfigMap, or writes it as it is, so that a missing permission is known before anybody needs it. */
  probe(): Promise<void> {
    return this.#alone(async () => {
      if (this.#options.dryRun) return;
      try {
        await this.#send(this.#kept.record);
      } catch (error) {
        if (!isRace(error)) this.#liveInMemory(error);
      }
    });
  }

  /** Resolves when the writes in progress have ended. */
  settled(): Promise<void> {
    return this.#tail;
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#write(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      this.#shown = editAll(this.#kept.record, this.#waiting);
    }
  }

  async #write(batch: readonly WaitingEdit[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      const refusal = await this.#tryToSave(batch);
      if (refusal === undefined) break;
      if (isForbidden(refusal)) return this.#remember(batch, refusal);
      if (!isRace(refusal) || tries >= MOST_TRIES) throw refusal;
      await this.#read({});
    }
    for (const { resolve } of batch) resolve();
  }

  /** Applies the edits to the newest known record; the answers of the last attempt count. Returns the error, if any. */
  async #tryToSave(batch: readonly WaitingEdit[]): Promise<unknown> {
    try {
      await this.#save(editAll(this.#kept.record, batch));
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #remember(batch: readonly WaitingEdit[], error: Error): void {
    this.#unavailable = error.message;
    for (const { mustOutlive, reject } of batch) if (mustOutlive) reject(error);
    const others = batch.filter(({ mustOutlive }) => !mustOutlive);
    this.#keep({ ...this.#kept, record: editAll(this.#kept.record, others) });
    for (const { resolve } of others) resolve();
  }

  async #save(record: ControlRecord): Promise<void> {
    if (record === this.#kept.record) this.#show();
    else if (this.#options.dryRun) this.#keep({ ...this.#kept, record });
    else await this.#send(record);
  }

  async #send(record: ControlRecord): Promise<void> {
    const { client } = this.#options;
    const { object, stored } = this.#kept;
    const data = writeRecord(object?.data ?? {}, stored, record);
    const written =
      object === undefined
        ? await client.create<ConfigMap>(this.#target, { ...this.#empty, data }, CALL)
        : await client.update<ConfigMap>(this.#target, { ...object, data }, CALL);
    this.#unavailable = undefined;
    this.#keep({ object: written, stored: record, record });
  }

  async #read(call: { readonly signal?: AbortSignal }): Promise<void> {
    const object = await this.#get(call);
    const { object: before, record, stored } = this.#kept;
    if (object?.metadata?.resourceVersion === before?.metadata?.resourceVersion) return;
    const parsed = parseRecord(object?.data ?? {});
    for (const problem of parsed.problems) this.#options.onProblem(problem);
    const merged = record === stored ? parsed.record : withUnwritten(parsed.record, record, stored);
    this.#keep({ object, stored: parsed.record, record: merged });
  }

  async #get(call: { readonly signal?: AbortSignal }): Promise<ConfigMap | undefined> {
    try {
      return await this.#options.client.get<ConfigMap>(this.#target, { ...CALL, ...call });
    } catch (error) {
      if (isKubeError(error) && error.code === "NotFound") return undefined;
      throw error;
    }
  }

  #liveInMemory(error: unknown): void {
    if (!isForbidden(error)) throw error;
    this.#unavailable = error.message;
  }

  #keep(kept: Kept): void {
    const before = this.#kept.record;
    this.#kept = kept;
    this.#show();
    if (before !== kept.record) this.#options.onChange(kept.record, before);
  }

  #show(): void {
    this.#shown = editAll(this.#kept.record, this.#waiting);
  }

  get #target(): Target {
    const { namespace } = this.#options;
    return { resource: CONFIG_MAPS, namespace, name: CONTROL_RECORD_NAME };
  }

  get #empty(): ConfigMap {
    const { namespace } = this.#options;
    const metadata = { namespace, name: CONTROL_RECORD_NAME };
    return { apiVersion: "v1", kind: "ConfigMap", metadata };
  }
}

type ConfigMap = KubeObject & { readonly data?: RecordData };

interface Kept {
  /** Undefined if there is no ConfigMap. */
  readonly object: ConfigMap | undefined;
  /** What the ConfigMap says. */
  readonly stored: ControlRecord;
  /** The record in force: more than is stored while it cannot be written. */
  readonly record: ControlRecord;
}

/**
 * Adds what could not be written to what others wrote meanwhile; returns the same record when that has nothing to
 * add.
 */
function withUnwritten(
  read: ControlRecord,
  record: ControlRecord,
  stored: ControlRecord,
): ControlRecord {
  const guard = mergeGuards(read.guard, record.guard);
  const unwritten = changedTexts(record, stored);
  const isAll = guard === read.guard && Object.keys(unwritten).length === 0;
  return isAll ? read : { ...read, guard, texts: { ...read.texts, ...unwritten } };
}

const MOST_TRIES = 6;
const CALL = { timeoutMs: 10_000 };

function isForbidden(error: unknown): error is Error {
  return isKubeError(error) && error.code === "Forbidden";
}

/** Reports whether somebody else has written, created or removed the ConfigMap since we read it. */
function isRace(error: unknown): boolean {
  return isKubeError(error) && RACES.has(error.code);
}

const RACES: ReadonlySet<string> = new Set(["Conflict", "AlreadyExists", "NotFound"]);
