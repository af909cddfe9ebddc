import type { Clock } from "../../model/time.ts";

const MOST = 20_000;

export interface SeenAnswersOptions<Answer> {
  readonly clock: Clock;
  /** How long an answer is kept at most, in milliseconds. */
  readonly keepMs: number;
  /** Reports whether the answer shows what exists; failed or negative answers are never kept. */
  isKept(answer: Answer): boolean;
}

interface Seen<Answer> {
  readonly answer: Answer;
  readonly askedAt: number;
}

/**
 * What is known of things in the cloud, each under its key: what the cloud showed, or answered to our own change. The answer to
 * a request from before a change's end never replaces what is known since. All times are in monotonic milliseconds.
 */
export class SeenAnswers<Answer> {
  readonly #options: SeenAnswersOptions<Answer>;
  readonly #clock: Clock;
  /** Ordered by age. */
  readonly #seen = new Map<string, Seen<Answer>>();
  /** When our last change of each ended, for those changed recently. */
  readonly #changedAt = new Map<string, number>();
  #lastChangeAt = Number.NEGATIVE_INFINITY;

  constructor(options: SeenAnswersOptions<Answer>) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** When we last changed any of them. */
  get lastChangeAt(): number {
    return this.#lastChangeAt;
  }

  get(key: string, maxAgeMs: number): Answer | undefined {
    const seen = this.#seen.get(key);
    if (seen === undefined) return undefined;
    const ageMs = this.#clock.monotonic() - seen.askedAt;
    return ageMs < Math.min(maxAgeMs, this.#options.keepMs) ? seen.answer : undefined;
  }

  /** Reports whether a call that started then shows our last change. */
  shows(key: string, askedAt: number): boolean {
    return askedAt >= (this.#changedAt.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Keeps the answer if it shows what exists and is not from before our last change. */
  keep(key: string, answer: Answer, askedAt: number): void {
    if (!this.#options.isKept(answer) || !this.shows(key, askedAt)) return;
    this.#seen.delete(key);
    this.#seen.set(key, { answer, askedAt });
    this.#dropOld();
  }

  /** A change of ours has started: nothing is certain until it has ended. */
  changing(key: string): void {
    this.#seen.delete(key);
    this.#changedAt.set(key, Number.POSITIVE_INFINITY);
  }

  /** The change has ended; `answer` is the result, if the cloud's answer shows it. */
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
