import type { CallPriority } from "../../model/call-priority.ts";

/** So few are read one by one by many clouds; more are found by a listing. */
export const FEW = 3;
/** So many are worth a listing whenever they come: whoever can ask is waiting, and nothing else gets on. */
const MANY = 128;
/** For so long after a listing those who come are taken for more of the same wave. */
const WAVE_MS = 5_000;
/** How long a few of a wave gather: otherwise each of them would cost a read. */
const WINDOW_MS = 50;
/** The pause between two listings: as long as the last one took, within these. */
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/** What the pace has to know of a batch. Times are monotonic milliseconds. */
export interface PacedBatch {
  readonly pending: { readonly size: number };
  readonly openedAt: number;
  readonly sentAt: number;
  priority(): CallPriority;
}

/**
 * How often a wave of new objects lists the cloud. A listing answers those alone that were seen before it began: while more
 * keep coming, one a moment after the last, for all that came meanwhile, costs far fewer calls than one for each few and
 * delays nobody by more than a listing takes. A lone question, and a user's, never waits.
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

  /** Milliseconds that a batch which could leave now should still gather. */
  waitMs(batch: PacedBatch, now: number): number {
    const inWave = this.#underWay.size > 0 || now - this.#endedAt < WAVE_MS;
    if (!inWave || batch.pending.size >= MANY || batch.priority() === "person") return 0;
    const gathered = batch.pending.size > FEW ? now : batch.openedAt + WINDOW_MS;
    return Math.max(0, gathered - now, this.#endedAt + this.#pauseMs - now);
  }
}
