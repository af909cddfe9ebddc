import type { CallPriority } from "../../model/call-priority.ts";

/** Many clouds read this few one by one; more are found by a listing. */
export const FEW = 3;
/** This many are worth a listing whenever they come: everybody who can ask is waiting, and nothing else progresses. */
const MANY = 128;
/** For this long after a listing, newcomers count as part of the same wave. */
const WAVE_MS = 5_000;
/** How long a few of a wave gather: otherwise each of them would cost a read. */
const WINDOW_MS = 50;
/** The pause between two listings: as long as the last one took, within these bounds. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/** What the pace needs to know about a batch. Times are in monotonic milliseconds. */
export interface PacedBatch {
  readonly pending: { readonly size: number };
  readonly openedAt: number;
  readonly sentAt: number;
  priority(): CallPriority;
}

/**
 * How often a wave of new objects lists the cloud. A listing answers only for objects that were seen before it started.
 * While more keep coming, one listing shortly after the last, for all that came meanwhile, costs far fewer calls than one
 * for each few, and delays nobody by more than a listing takes. A lone question, and a user's, never waits.
 */
export class ListingPace {
  readonly #underWay = new Set<PacedBatch>();
  #endedAt = Number.NEGATIVE_INFINITY;
  #pauseMs = 0;

  began(batch: PacedBatch): void {
    if (batch.pending.size > FEW) this.#underWay.add(batch);
  }

  ended(batch: PacedBatch, now: number): void {
    if (!this.#underWay.delete(batch)) return;
    this.#endedAt = now;
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, now - batch.sentAt));
  }

  /** Returns how many milliseconds a batch that could be sent now should still gather. */
  waitMs(batch: PacedBatch, now: number): number {
    const inWave = this.#underWay.size > 0 || now - this.#endedAt < WAVE_MS;
    if (!inWave || batch.pending.size >= MANY || batch.priority() === "person") return 0;
    const gathered = batch.pending.size > FEW ? now : batch.openedAt + WINDOW_MS;
    return Math.max(0, gathered - now, this.#endedAt + this.#pauseMs - now);
  }
}
