import type { Pause } from "../../model/controls.ts";
import type { Clock } from "../../model/time.ts";
import type { ControlDiary } from "./control-diary.ts";
import type { ControlStore } from "./control-store.ts";
import { isSamePause, nextEndMs, pausesInForce } from "./pauses.ts";

/** Puts the pauses into effect; its promise resolves once they are obeyed. */
export type PausesCallback = (pauses: readonly Pause[]) => Promise<void>;

export interface PauseKeeperOptions {
  readonly store: Pick<ControlStore, "record" | "update">;
  readonly diary: ControlDiary;
  readonly clock: Clock;
  /** A dry run is never paused. */
  readonly dryRun: boolean;
  onError(error: unknown): void;
}

/** Ensures that pauses are obeyed while they last, and lifted when they end. */
export interface PauseKeeper {
  inForce(): readonly Pause[];
  onPauses(callback: PausesCallback): void;
  /** Resolves with true once all callbacks obey the pauses; with false after a while, or when the signal aborts. */
  obeyed(signal: AbortSignal): Promise<boolean>;
  /** Must be called whenever the record has changed, and periodically. */
  review(): void;
  close(): void;
}

const OBEY_LIMIT_MS = 30_000;

export function createPauseKeeper(options: PauseKeeperOptions): PauseKeeper {
  const { store, clock, dryRun } = options;
  const callbacks: PausesCallback[] = [];
  let reported: readonly Pause[] = [];
  let whenObeyed: Promise<boolean> = Promise.resolve(true);
  let isLifting = false;
  let cancelEnd = () => {};

  const inForce = () => pausesInForce(store.record.pauses, clock.now());

  function review(): void {
    const now = dryRun ? [] : inForce();
    if (!areSame(now, reported)) {
      reported = now;
      whenObeyed = Promise.all(callbacks.map((callback) => callback(now))).then(() => true);
      whenObeyed.catch(options.onError);
    }
    cancelEnd();
    const endMs = nextEndMs(store.record.pauses, clock.now());
    if (endMs !== undefined) cancelEnd = clock.after(endMs, review);
    void liftEnded();
  }

  async function liftEnded(): Promise<void> {
    if (isLifting || dryRun || store.record.pauses.length === inForce().length) return;
    isLifting = true;
    try {
      for (const pause of await removeEnded(options)) reportEnd(options, pause);
    } catch (error) {
      options.onError(error);
    } finally {
      isLifting = false;
    }
  }

  return {
    inForce,
    review,
    onPauses: (callback) => {
      callbacks.push(callback);
      whenObeyed = Promise.all([whenObeyed, callback(reported)]).then(() => true);
      whenObeyed.catch(options.onError);
    },
    obeyed: (signal) => within(clock, whenObeyed, signal),
    close: () => cancelEnd(),
  };
}

/** Returns the pauses that this process has removed, so that each end is reported once. */
function removeEnded({ store, clock }: PauseKeeperOptions): Promise<readonly Pause[]> {
  return store.update((record) => {
    const pauses = pausesInForce(record.pauses, clock.now());
    const ended = record.pauses.filter((pause) => !pauses.includes(pause));
    return { record: ended.length === 0 ? record : { ...record, pauses }, answer: ended };
  });
}

function reportEnd(
  { diary }: PauseKeeperOptions,
  { controller, by, until, intentId }: Pause,
): void {
  const end = new Date(until).toISOString();
  const why = `The pause by ${by} was set to end at ${end}.`;
  diary.audit({
    controller,
    action: "controller.resume",
    object: { kind: "Controller", name: controller },
    why,
    result: "applied",
    before: { pause: { until } },
    after: { pause: null },
    intentId,
  });
  diary.event("ControllerResumed", `${controller}: ${why}`);
}

function areSame(some: readonly Pause[], others: readonly Pause[]): boolean {
  if (some.length !== others.length) return false;
  return some.every((one) => others.some((other) => isSamePause(one, other)));
}

function within(clock: Clock, work: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = () => resolve(false);
    const cancel = clock.after(OBEY_LIMIT_MS, giveUp);
    signal.addEventListener("abort", giveUp, { once: true });
    const end = (isObeyed: boolean) => {
      cancel();
      signal.removeEventListener("abort", giveUp);
      resolve(isObeyed);
    };
    work.then(end, () => end(false));
  });
}
