import type { Clock } from "../../model/time.ts";

const MOST = 20_000;

export interface SeenAnswersOptions<Answer> {
  readonly clock: Clock;
  /** How long at most an answer is kept, milliseconds. */
  readonly keepMs: number;
  /** Whether it says what there is; what failed or found nothing is never kept. */
  isKept(answer: Answer): boolean;
}

interface Seen<Answer> {
  readonly answer: Answer;
  readonly askedAt: number;
}

/**
 * What is known of things in the cloud, each under its key: what the cloud showed, or answered to our own change. What was asked
 * before a change ended is never kept over it. All times are monotonic milliseconds.
 */
export class SeenAnswers<Answer> {
  readonly #options: SeenAnswersOptions<Answer>;
  readonly #clock: Clock;
  /** In order of age. */
  readonly #seen = new Map<string, Seen<Answer>>();
  /** When our last change of each ended; of those that have changed lately. */
  readonly #changedAt = new Map<string, number>();
  #lastChangeAt = Number.NEGATIVE_INFINITY;

  constructor(options: SeenAnswersOptions<Answer>) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** When any of them was last changed by us. */
  get lastChangeAt(): number {
    return this.#lastChangeAt;
  }

  get(key: string, maxAgeMs: number): Answer | undefined {
    const seen = this.#seen.get(key);
    if (seen === undefined) return undefined;
    const ageMs = this.#clock.monotonic() - seen.askedAt;
    return ageMs < Math.min(maxAgeMs, this.#options.keepMs) ? seen.answer : undefined;
  }

  /** Whether a call that began then shows our last change of it. */
  shows(key: string, askedAt: number): boolean {
    return askedAt >= (this.#changedAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Keeps it if it says what there is and is not from before our last change. */
  keep(key: string, answer: Answer, askedAt: number): void {
    if (!this.#options.isKept(answer) || !this.shows(key, askedAt)) return;
    this.#seen.delete(key);
    this.#seen.set(key, { answer, askedAt });
    this.#dropOld();
  }

  /** A change of ours is on its way: nothing is certain until it has ended. */
  changing(key: string): void {
    this.#seen.delete(key);
    this.#changedAt.set(key, Number.POSITIVE_INFINITY);
  }

  /** It has ended; what is there then, if the cloud's answer says. */
  changed(key: string, answer: Answer | undefined): void {
    const now = this.#clock.monotonic();
    this.#lastChangeAt = now;
    this.#changedAt.delete(key);
    this.#changedAt.set(key, now);
    if (answer !== undefined) this.keep(key, answer, now);
    this.#dropOld();
  }

  #dropOld(): void {
    const oldest = this.#clock.monotonic() - this.#options.keepMs;
    for (const [key, { askedAt }] of this.#seen) {
      if (askedAt > oldest && this.#seen.size <= MOST) break;
      this.#seen.delete(key);
    }
    for (const [key, at] of this.#changedAt) {
      if (at > oldest && this.#changedAt.size <= MOST) break;
      this.#changedAt.delete(key);
    }
  }
}
