import { DURATION_BOUNDS_MS, type OperationCounts } from "../../model/records/budget-record.ts";

/** What a tally needs to know about a call. */
export interface TalliedCall {
  readonly operation: string;
  readonly target: string;
  readonly durationMs: number;
  /** How much of the duration the call spent waiting for one of our limits. */
  readonly limiterWaitMs: number;
  readonly result: "ok" | "throttled" | "failed";
  /** How often the call was sent again before it ended. Retries by later calls are found by their target. */
  readonly resent?: number;
}

/** Providers name the operations: one that puts ids into the names must not make records grow. */
const MOST_OPERATIONS = 40;
const OTHERS = "other operations";
const MOST_FAILED_TARGETS = 2_000;

/** Counts the calls to one API by operation. */
export class OperationTally {
  readonly #counts = new Map<string, Counts>();
  /** `operation target` of failed calls that have not been repeated since, oldest first. */
  readonly #failed = new Set<string>();

  add(call: TalliedCall): void {
    const counts = this.#countsOf(call.operation);
    counts.calls += 1;
    counts.retries += (this.#repeatsFailed(call) ? 1 : 0) + (call.resent ?? 0);
    if (call.result === "throttled") counts.throttled += 1;
    if (call.result === "failed") counts.failed += 1;
    if (call.limiterWaitMs > 0) {
      counts.waited += 1;
      counts.waitMs += call.limiterWaitMs;
      counts.longestWaitMs = Math.max(counts.longestWaitMs, call.limiterWaitMs);
    }
    const slot = placeOf(Math.max(0, call.durationMs - call.limiterWaitMs));
    counts.durations[slot] = (counts.durations[slot] ?? 0) + 1;
  }

  /** Takes and resets all counts, the most called operation first. */
  take(): readonly OperationCounts[] {
    const taken = [...this.#counts]
      .map(([operation, counts]) => ({ operation, ...rounded(counts) }))
      .toSorted((left, right) => right.calls - left.calls);
    this.#counts.clear();
    return taken;
  }

  #countsOf(operation: string): Counts {
    const isRoom = this.#counts.has(operation) || this.#counts.size < MOST_OPERATIONS - 1;
    const name = isRoom ? operation : OTHERS;
    const known = this.#counts.get(name) ?? noCounts();
    this.#counts.set(name, known);
    return known;
  }

  #repeatsFailed({ operation, target, result }: TalliedCall): boolean {
    const key = `${operation} ${target}`;
    const repeats = this.#failed.delete(key);
    if (result !== "ok") this.#failed.add(key);
    if (this.#failed.size > MOST_FAILED_TARGETS) {
      const [oldest] = this.#failed;
      if (oldest !== undefined) this.#failed.delete(oldest);
    }
    return repeats;
  }
}

interface Counts {
  calls: number;
  throttled: number;
  failed: number;
  retries: number;
  waited: number;
  waitMs: number;
  longestWaitMs: number;
  readonly durations: number[];
}

function noCounts(): Counts {
  return {
    calls: 0,
    throttled: 0,
    failed: 0,
    retries: 0,
    waited: 0,
    waitMs: 0,
    longestWaitMs: 0,
    durations: [],
  };
}

function rounded(counts: Counts): Counts {
  return {
    ...counts,
    waitMs: Math.round(counts.waitMs),
    longestWaitMs: Math.round(counts.longestWaitMs),
    durations: Array.from(counts.durations, (count: number | undefined) => count ?? 0),
  };
}

function placeOf(durationMs: number): number {
  const slot = DURATION_BOUNDS_MS.findIndex((bound) => durationMs <= bound);
  return slot === -1 ? DURATION_BOUNDS_MS.length : slot;
}
