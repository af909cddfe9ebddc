import type { ReasonCode } from "../../model/reason.ts";
import type { Outcome } from "../../model/run.ts";
import type { Clock } from "../../model/time.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";

/** After so many checks with one result a node is checked a period less often, down to every third one. */
const UNCHANGED_PER_STEP = 10;
const LONGEST_PAUSE_PERIODS = 3;

type Ended = Pick<RunOutcome, "object" | "outcome" | "reason" | "written" | "unwritten">;

/** What a run leaves to the next period; else a timer or the queue's backoff has the node in hand. */
const FINAL: ReadonlySet<Outcome> = new Set(["changed", "unchanged", "blocked"]);

/** When each silent node is looked at next, in periods, and how long the runs of one period take. */
export class LifecycleChecks {
  readonly #byName = new Map<string, Check>();
  readonly #passes = new Set<Pass>();
  readonly #clock: Clock;
  readonly #observePass: (seconds: number) => void;

  constructor(clock: Clock, observePass: (seconds: number) => void) {
    this.#clock = clock;
    this.#observePass = observePass;
  }

  /** One more period has passed for these nodes: those that are due now. Their runs are one pass. */
  begin(names: readonly string[]): readonly string[] {
    const due = names.filter((name) => this.#isDue(name));
    const pass: Pass = { startedAt: this.#clock.monotonic(), open: new Set(due) };
    this.#passes.add(pass);
    this.#close(pass);
    return due;
  }

  /** A run is over. A node that comes back by itself is not looked at in the passes between. */
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
  /** Infinite while a run or its timer has the node in hand. */
  periodsLeft: number;
}

interface Pass {
  readonly startedAt: number;
  readonly open: Set<string>;
}
