import type { ControllerName } from "../../model/controller-names.ts";
import type { ControllerUse, PendingRequest } from "../../model/records/budget-record.ts";
import type { RunEnd, Step } from "../../model/run.ts";

const MOST_PENDING = 5;
/** Waits below this are not recorded. */
const LEAST_WAIT_MS = 100;
const FAILED: ReadonlySet<RunEnd["outcome"]> = new Set(["failed", "timedOut", "blocked"]);

/** Counts the cost of each controller's runs, and keeps the runs that waited longest for the cloud's budget. */
export class RunTally {
  readonly #uses = new Map<ControllerName, Use>();
  #pending: readonly PendingRequest[] = [];

  add(run: RunEnd): void {
    const use = this.#uses.get(run.controller) ?? noUse(run.controller);
    const cloud = run.steps.filter(isOfCloud);
    const cloudCalls = cloud.reduce((sum, { sharedBy }) => sum + 1 / Math.max(1, sharedBy), 0);
    use.runs += 1;
    if (FAILED.has(run.outcome)) use.failed += 1;
    use.cloudCalls += cloudCalls;
    use.kubeCalls += run.steps.length - cloud.length;
    if (run.trigger.kind === "period") {
      use.periodRuns += 1;
      use.periodCloudCalls += cloudCalls;
    }
    this.#uses.set(run.controller, use);
    this.#noteWait(run, cloud);
  }

  /** Takes and resets all counts. */
  take(): {
    readonly controllers: readonly ControllerUse[];
    readonly waiters: readonly PendingRequest[];
  } {
    const controllers = [...this.#uses.values()].map((use) => ({
      ...use,
      cloudCalls: toThousandths(use.cloudCalls),
      periodCloudCalls: toThousandths(use.periodCloudCalls),
    }));
    const pending = this.#pending;
    this.#uses.clear();
    this.#pending = [];
    return { controllers, waiters: pending };
  }

  #noteWait({ controller, object, id, startedAt }: RunEnd, cloud: readonly Step[]): void {
    const waitMs = Math.round(cloud.reduce((sum, step) => sum + step.limiterWaitMs, 0));
    if (waitMs < LEAST_WAIT_MS) return;
    const request: PendingRequest = { controller, object, runId: id, at: startedAt, waitMs };
    this.#pending = [...this.#pending, request]
      .toSorted((left, right) => right.waitMs - left.waitMs)
      .slice(0, MOST_PENDING);
  }
}

type Use = { -readonly [Member in keyof ControllerUse]: ControllerUse[Member] };

function noUse(controller: ControllerName): Use {
  return {
    controller,
    runs: 0,
    failed: 0,
    cloudCalls: 0,
    kubeCalls: 0,
    periodRuns: 0,
    periodCloudCalls: 0,
  };
}

function isOfCloud({ system }: Step): boolean {
  return system === "cloud";
}

function toThousandths(calls: number): number {
  return Math.round(calls * 1_000) / 1_000;
}
