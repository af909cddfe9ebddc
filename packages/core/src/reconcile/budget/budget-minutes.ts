import type { BudgetMinute } from "../../model/records/budget-record.ts";
import type { Clock } from "../../model/time.ts";
import type { Recorder } from "../ports.ts";
import type { BudgetMeter } from "./budget-meter.ts";

export interface BudgetMinutesOptions {
  readonly meter: Pick<BudgetMeter, "take" | "allows">;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly identity: Pick<BudgetMinute, "cluster" | "instance" | "provider" | "dryRun">;
  /** How many calls a second the cloud allows now; undefined without a limit. */
  cloudAllowsPerSecond(): number | undefined;
  /** How many calls a minute our own limit lets through to the Kubernetes API; undefined without a limit. */
  readonly kubePerMinute: number | undefined;
}

const MINUTE_MS = 60_000;

/**
 * Records the calls of each minute when it ends, even if there were none: a missing record means that nothing is known
 * about that minute. Returns a function that stops this with a record of the current minute so far.
 */
export function recordBudgetMinutes(options: BudgetMinutesOptions): () => void {
  const { meter, clock } = options;
  let since = clock.now();
  let cancel = () => {};
  const record = (until: number) => {
    meter.allows(options.cloudAllowsPerSecond());
    options.recorder.append(minuteOf(options, { since, until }));
  };
  const atMinutesEnd = () => {
    const endsAt = minuteOfTime(since) + MINUTE_MS;
    cancel = clock.after(endsAt - clock.now(), () => {
      record(endsAt);
      // The timer may fire early, or minutes late because this process stood still: those minutes
      // get no record.
      since = Math.max(endsAt, minuteOfTime(clock.now()));
      atMinutesEnd();
    });
  };
  // Calls made before now belong to no recorded minute.
  meter.take();
  atMinutesEnd();
  return () => {
    cancel();
    record(Math.max(since, clock.now()));
  };
}

function minuteOfTime(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

function minuteOf(
  { meter, identity, kubePerMinute }: BudgetMinutesOptions,
  { since, until }: { readonly since: number; readonly until: number },
): BudgetMinute {
  const { kube, ...rest } = meter.take();
  return {
    type: "budget",
    ...identity,
    at: minuteOfTime(since),
    coveredMs: until - since,
    ...rest,
    kube: { ...kube, ...(kubePerMinute === undefined ? {} : { limitPerMinute: kubePerMinute }) },
  };
}
