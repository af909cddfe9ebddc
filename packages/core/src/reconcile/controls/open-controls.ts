import type { KubeClient } from "../../kube/client.ts";
import type { EventRecorder } from "../../kube/events/events.ts";
import type { ControlsStatus, GuardedNode } from "../../model/controls.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Clock, Random } from "../../model/time.ts";
import { messageOf } from "../../model/values/message-of.ts";
import type { DeletionGuard } from "../deletion-guard.ts";
import type { ControlTarget } from "../intents/control-target.ts";
import type { Recorder } from "../ports.ts";
import { pause } from "../run/pause.ts";
import { createControlTarget } from "./carry-out-control.ts";
import { createControlDiary } from "./control-diary.ts";
import { ControlStore } from "./control-store.ts";
import { createGuardKeeper, type GuardKeeper, type KnownNodes } from "./guard-keeper.ts";
import type { GuardPolicy, GuardRecord } from "./guard-record.ts";
import { createPauseKeeper, type PauseKeeper, type PausesCallback } from "./pause-keeper.ts";

export interface ControlsOptions {
  /** Fenced, as all writes of a leader are. */
  readonly client: Pick<KubeClient, "get" | "create" | "update">;
  /** The namespace of the election, where the ConfigMap lives. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly events: Pick<EventRecorder, "event">;
  readonly identity: { readonly cluster: string; readonly instance: string };
  /** Of the controllers that run in this process; no other can be paused. */
  readonly controllers: ReadonlySet<string>;
  /** Undefined for `--node-deletion-guard=off`. */
  readonly guard: GuardPolicy | undefined;
  readonly nodes: KnownNodes;
  /** Reads the record and writes nothing. */
  readonly dryRun: boolean;
  /** Called with a sentence about content that cannot be read, and reads and writes that failed; all are tried again. */
  onProblem(sentence: string): void;
  /** Ends the opening, when the API server does not answer. */
  readonly signal: AbortSignal;
}

/** What must hold over restarts and fail-overs, above all what users have decided: the ConfigMap `cloudwright-controls`. */
export interface Controls {
  /** As each heartbeat reports it. */
  status(): ControlsStatus;
  readonly target: ControlTarget;
  /** Undefined when it is off. */
  readonly guard: DeletionGuard | undefined;
  /**
   * Called at once, and whenever they change, with the pauses that hold; the callback's promise resolves when they are obeyed.
   * A dry run is never paused.
   */
  onPauses(callback: PausesCallback): void;
  /** Notified of nodes that an admin has just let through the guard. */
  onReleased(callback: (nodes: readonly GuardedNode[]) => void): void;
  /** A key of the record whose text is opaque here. */
  text(key: string): KeptText;
  /** Stops reading; what is being written is finished first. */
  close(): Promise<void>;
}

/** A text that outlives every leader. */
export interface KeptText {
  /** As it is known now; what an earlier leader kept, too. */
  read(): string | undefined;
  /** Does not throw: what cannot be written lives in memory, and is written with what comes later. */
  keep(text: string): void;
  /** Throws KubeError where it cannot be written. */
  write(text: string): Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const READ_EVERY_MS = 15_000;

/**
 * Reads the record at the start of a term; asks until the API server answers. From then on it is read every 15 s, so that
 * kubectl's edits count. Throws the signal's reason.
 */
export async function openControls(options: ControlsOptions): Promise<Controls> {
  const dependencies = assemble(options);
  await firstRead(options, dependencies.store);
  dependencies.review();
  const stopReading = readAgain(options, dependencies);
  const { store, pauses, guard, target, released } = dependencies;
  return {
    status: () => statusNow(dependencies),
    target,
    guard,
    onPauses: pauses.onPauses,
    onReleased: (callback) => void released.push(callback),
    text: (key) => keptText(key, store, options),
    close: () => {
      stopReading();
      pauses.close();
      return store.settled();
    },
  };
}

interface Parts {
  readonly store: ControlStore;
  readonly pauses: PauseKeeper;
  readonly guard: GuardKeeper | undefined;
  readonly target: ControlTarget;
  readonly released: ((nodes: readonly GuardedNode[]) => void)[];
  review(): void;
}

function assemble(options: ControlsOptions): Parts {
  const { clock, dryRun, nodes, guard: policy } = options;
  const diary = createControlDiary(options);
  const onError = (error: unknown) => options.onProblem(sentenceOf(error));
  const released: Parts["released"] = [];
  const store = new ControlStore({
    ...options,
    onChange: (now, before) => {
      const passed = newlyReleased(now.guard, before.guard);
      if (passed.length > 0) for (const callback of released) callback(passed);
      review();
    },
  });
  const pauses = createPauseKeeper({ store, diary, clock, dryRun, onError });
  const guard =
    policy === undefined
      ? undefined
      : createGuardKeeper({ store, policy, clock, nodes, diary, dryRun, onError });
  const isGuarded = guard !== undefined;
  const target = createControlTarget({
    ...options,
    store,
    diary,
    isGuarded,
    obeyed: pauses.obeyed,
  });
  function review(): void {
    pauses.review();
    guard?.review();
  }
  return { store, pauses, guard, target, released, review };
}

function keptText(key: string, store: ControlStore, { onProblem }: ControlsOptions): KeptText {
  const update = (text: string, mustOutlive: boolean) =>
    store.update(
      (record) => ({
        record: { ...record, texts: { ...record.texts, [key]: text } },
        answer: undefined,
      }),
      { mustOutlive },
    );
  return {
    read: () => store.record.texts[key],
    keep: (text) => void update(text, false).catch((error) => onProblem(sentenceOf(error))),
    write: (text) => update(text, true),
  };
}

/** Until the API server answers, be it that it forbids. */
async function firstRead(options: ControlsOptions, store: ControlStore): Promise<void> {
  const { clock, signal, onProblem } = options;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      await store.refresh({ signal });
      return await store.probe();
    } catch (error) {
      onProblem(sentenceOf(error));
      await pause(clock, pauseMs, signal);
    }
  }
}

/** The answer stops it. */
function readAgain({ clock, onProblem }: ControlsOptions, { store, review }: Parts): () => void {
  let cancel = () => {};
  let isStopped = false;
  const wait = () => {
    if (!isStopped) cancel = clock.after(READ_EVERY_MS, () => void read());
  };
  const read = async () => {
    try {
      await store.refresh();
    } catch (error) {
      onProblem(sentenceOf(error));
    }
    if (!isStopped) review();
    wait();
  };
  wait();
  return () => {
    isStopped = true;
    cancel();
  };
}

function statusNow({ store, pauses, guard }: Parts): ControlsStatus {
  const { unavailable: message } = store;
  const status = { pauses: pauses.inForce(), ...(guard && { guard: guard.status() }) };
  if (message === undefined) return status;
  return { ...status, unavailable: eventMessage({ code: "ControlRecordUnavailable", message }) };
}

function newlyReleased(now: GuardRecord, before: GuardRecord): readonly GuardedNode[] {
  const known = new Set(before.releases.map(({ intentId }) => intentId));
  return now.releases.filter(({ intentId }) => !known.has(intentId)).flatMap(({ nodes }) => nodes);
}

function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  return `The control record could not be read or written (${message}); it is retried automatically.`;
}
