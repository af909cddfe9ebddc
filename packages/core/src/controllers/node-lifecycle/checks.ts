import type { Plan } from "../../model/plan.ts";
import type { ReasonCode } from "../../model/reason.ts";
import type { Clock } from "../../model/time.ts";

/** After so many checks with one result a node is checked a period less often, down to every third one. */
const UNCHANGED_PER_STEP = 10;
const LONGEST_PAUSE_PERIODS = 3;

/** When each silent node is looked at next, in periods, and how long the looks of one period take. */
export class LifecycleChecks {
  readonly #byName = new Map<string, Check>();
  readonly #passes = new Set<Pass>();
  readonly #clock: Clock;
  readonly #observePass: (seconds: number) => void;

  constructor(clock: Clock, observePass: (seconds: number) => void) {
    this.#clock = clock;
    this.#observePass = observePass;
  }

  /** One more period has passed for these nodes: those that are due now. Their looks are one pass. */
  begin(names: readonly string[]): readonly string[] {
    const due = names.filter((name) => this.#isDue(name));
    const pass: Pass = { startedAt: this.#clock.monotonic(), open: new Set(due) };
    this.#passes.add(pass);
    this.#close(pass);
    return due;
  }

  /** The look at one node is over, whatever came of it. */
  observed(name: string): void {
    for (const pass of this.#passes) {
      pass.open.delete(name);
      this.#close(pass);
    }
  }

  /** What was decided; a node that comes back by itself is not looked at in the passes between. */
  planned(name: string, plan: Plan, applied: number): void {
    const before = this.#byName.get(name);
    const { next, changes } = plan;
    const isSame = before?.reason === next.reason.code && changes.length === 0;
    const unchanged = isSame ? before.unchanged + 1 : 0;
    const isOurs =
      applied === changes.length && (next.kind === "settled" || next.kind === "blocked");
    const periods = 1 + Math.floor(unchanged / UNCHANGED_PER_STEP);
    this.#byName.set(name, {
      reason: next.reason.code,
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
