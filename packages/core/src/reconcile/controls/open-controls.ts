import type { KubeClient } from "../../kube/client.ts";
import type { EventRecorder } from "../../kube/events/events.ts";
import { sleepUnlessAborted } from "../../kube/sleep.ts";
import type { ControlsStatus, GuardedNode } from "../../model/controls.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { SettingValues } from "../../model/settings/settings.ts";
import type { Clock, Random } from "../../model/time.ts";
import { messageOf } from "../../model/values/message-of.ts";
import type { DeletionGuard } from "../deletion-guard.ts";
import type { ControlTarget } from "../intents/control-target.ts";
import type { Recorder } from "../ports.ts";
import { createControlTarget } from "./carry-out-control.ts";
import { createControlDiary } from "./control-diary.ts";
import { ControlStore } from "./control-store.ts";
import { createGuardKeeper, type GuardKeeper, type KnownNodes } from "./guard-keeper.ts";
import type { GuardRecord } from "./guard-record.ts";
import { createPauseKeeper, type PauseKeeper, type PausesCallback } from "./pause-keeper.ts";
import {
  createSettingsKeeper,
  type LiveSettings,
  type SettingNotice,
  type SettingsKeeper,
} from "./settings-keeper.ts";

export interface ControlsOptions {
  /** Fenced, like all writes of a leader. */
  readonly client: Pick<KubeClient, "get" | "create" | "update">;
  /** The election namespace, which has the ConfigMap. */
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly recorder: Recorder;
  readonly events: Pick<EventRecorder, "event">;
  readonly identity: { readonly cluster: string; readonly instance: string };
  /** The controllers that run in this process; no other can be paused. */
  readonly controllers: ReadonlySet<string>;
  /** The flags' values of the settings that users may change. */
  readonly flags: SettingValues;
  /** Called with each new value of a setting. */
  onSetting(change: SettingNotice): void;
  readonly nodes: KnownNodes;
  /** Whether to read the record without ever writing it. */
  readonly dryRun: boolean;
  /** Called with a sentence about unreadable content, or about a failed read or write; each is retried. */
  onProblem(sentence: string): void;
  /** Ends the attempts to read it while the API server does not answer. */
  readonly signal: AbortSignal;
}

/** What must survive restarts and failovers, above all what users have decided: the ConfigMap `cloudwright-controls`. */
export interface Controls {
  /** Returns the status for a heartbeat. */
  status(): ControlsStatus;
  readonly target: ControlTarget;
  /** Holds nothing while the guard is off. */
  readonly guard: DeletionGuard;
  readonly settings: LiveSettings;
  /**
   * Calls back with the pauses in force, at once and whenever they change; the callback's promise resolves when they are
   * obeyed. A dry run is never paused.
   */
  onPauses(callback: PausesCallback): void;
  /** Calls back with nodes that the guard may now let through, and with the cause. */
  onReleased(callback: ReleasedCallback): void;
  /** Returns a key of the record whose text is opaque here. */
  text(key: string): KeptText;
  /** Stops reading; writes in progress are finished first. */
  close(): Promise<void>;
}

/** A text that outlives every leader. */
export interface KeptText {
  /** Returns the current text, which may come from an earlier leader. */
  read(): string | undefined;
  /** Does not throw: what cannot be written is kept in memory and written with a later change. */
  keep(text: string): void;
  /** Throws KubeError when the text cannot be written. */
  write(text: string): Promise<void>;
}

export type ReleasedCallback = (nodes: readonly GuardedNode[], why: string) => void;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;
const READ_EVERY_MS = 15_000;

/**
 * Reads the record at the start of a term, retrying until the API server answers. From then on it is read every 15 s, so
 * that edits made with kubectl count. Throws the signal's reason.
 */
export async function openControls(options: ControlsOptions): Promise<Controls> {
  const dependencies = assemble(options);
  await firstRead(options, dependencies.store);
  dependencies.review();
  const stopReading = readAgain(options, dependencies);
  const { store, pauses, guard, settings, target, released } = dependencies;
  return {
    status: () => statusNow(dependencies),
    target,
    guard,
    settings,
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
  readonly guard: GuardKeeper;
  readonly settings: SettingsKeeper;
  readonly target: ControlTarget;
  readonly released: ReleasedCallback[];
  review(): void;
}

function assemble(options: ControlsOptions): Parts {
  const { clock, dryRun, nodes } = options;
  const diary = createControlDiary(options);
  const onError = (error: unknown) => options.onProblem(sentenceOf(error));
  const released: Parts["released"] = [];
  const release = (these: readonly GuardedNode[], why: string) => {
    if (these.length > 0) for (const callback of released) callback(these, why);
  };
  const store = new ControlStore({
    ...options,
    onChange: (now, before) => {
      release(newlyReleased(now.guard, before.guard), "released from the deletion guard");
      review();
    },
  });
  const pauses = createPauseKeeper({ store, diary, clock, dryRun, onError });
  const settings = createSettingsKeeper({ ...options, store });
  const policy = settings.of("node-deletion-guard");
  policy.onChange(() => release(store.record.guard.held, "the deletion guard was changed"));
  const guard = createGuardKeeper({ store, policy, clock, nodes, diary, dryRun, onError });
  const target = createControlTarget({ ...options, store, diary, obeyed: pauses.obeyed });
  function review(): void {
    pauses.review();
    settings.review();
    guard.review();
  }
  return { store, pauses, guard, settings, target, released, review };
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

/** Retries until the API server answers, even if only with a refusal. */
async function firstRead(options: ControlsOptions, store: ControlStore): Promise<void> {
  const { clock, signal, onProblem } = options;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      await store.refresh({ signal });
      return await store.probe();
    } catch (error) {
      onProblem(sentenceOf(error));
      await sleepUnlessAborted(clock, pauseMs, signal);
    }
  }
}

/** Reads the record periodically; returns a function that stops this. */
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

function statusNow({ store, pauses, guard, settings }: Parts): ControlsStatus {
  const { unavailable: message } = store;
  const guarded = guard.status();
  const status = {
    pauses: pauses.inForce(),
    ...(guarded === undefined ? {} : { guard: guarded }),
    settings: settings.status(),
  };
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
