import type { ReasonCode } from "../../model/reason.ts";
import type { Outcome } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";

/** After this many checks with the same result, a node is checked one period less often, down to every third period. */
const UNCHANGED_PER_STEP = 10;
const LONGEST_PAUSE_PERIODS = 3;

type Ended = Pick<RunOutcome, "object" | "outcome" | "reason" | "written" | "unwritten">;

/**
 * After these outcomes the node is left to the next period; otherwise a timer or the queue's backoff takes care of
 * it.
 */
const FINAL: ReadonlySet<Outcome> = new Set(["changed", "unchanged", "blocked"]);

/** Decides when each silent node is checked next, in periods, and measures how long the runs of one period take. */
export class LifecycleChecks {
  readonly #byName = new Map<string, Check>();
  readonly #passes = new Set<Pass>();
  readonly #clock: Clock;
  readonly #observePass: (seconds: number) => void;

  constructor(clock: Clock, observePass: (seconds: number) => void) {
    this.#clock = clock;
    this.#observePass = observePass;
  }

  /** Counts one more period for these nodes and returns those that are due. Their runs form one pass. */
  begin(names: readonly string[]): readonly string[] {
    const due = names.filter((name) => this.#isDue(name));
    const pass: Pass = { startedAt: this.#clock.monotonic(), open: new Set(due) };
    this.#passes.add(pass);
    this.#close(pass);
    return due;
  }

  /** A run has ended. A node that comes back by itself is not checked in the passes before that. */
  ended({ object: { name }, outcome, reason, written, unwritten }: Ended): void {
    this.#closeFor(name);
    if (outcome === "interrupted") return;
    const before = this.#byName.get(name);
    const isSame = before?.reason === reason.code && written.length + unwritten.length === 0;
    const unchanged = isSame ? before.unchanged + 1 : 0;
    const isOurs = unwritten.length === 0 && FINAL.has(outcome);
    const periods = 1 + Math.floor(unchanged / UNCHANGED_PER_STEP);
    this.#byName.set(name, {
      reason: reason.code,
      unchanged,
      periodsLeft: isOurs ? Math.min(LONGEST_PAUSE_PERIODS, periods) : Number.POSITIVE_INFINITY,
    });
  }

  forget(name: string): void {
    this.#byName.delete(name);
  }

  #isDue(name: string): boolean {
    const check = this.#byName.get(name);
    if (check === undefined) {
      this.#byName.set(name, { unchanged: 0, periodsLeft: Number.POSITIVE_INFINITY });
      return true;
    }
    check.periodsLeft -= 1;
    if (check.periodsLeft > 0) return false;
    check.periodsLeft = Number.POSITIVE_INFINITY;
    return true;
  }

  #closeFor(name: string): void {
    for (const pass of this.#passes) {
      pass.open.delete(name);
      this.#close(pass);
    }
  }

  #close(pass: Pass): void {
    if (pass.open.size > 0) return;
    this.#passes.delete(pass);
    this.#observePass((this.#clock.monotonic() - pass.startedAt) / 1_000);
  }
}

interface Check {
  readonly reason?: ReasonCode;
  readonly unchanged: number;
  /** Infinite while a run or its timer takes care of the node. */
  periodsLeft: number;
}

interface Pass {
  readonly startedAt: number;
  readonly open: Set<string>;
}
