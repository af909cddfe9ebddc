import type { Clock } from "../model/time.ts";
import type { BalancerObservation } from "./load-balancers.ts";

const MOST = 20_000;

interface Seen {
  readonly observation: BalancerObservation<unknown>;
  readonly askedAt: number;
}

/**
 * What is known of each owner's balancer: what the cloud showed, or answered to our own change. What was asked before a change
 * ended is never kept over it. All times are monotonic milliseconds.
 */
export class SeenBalancers {
  readonly #clock: Clock;
  readonly #keepMs: number;
  /** By the owner's UID, in order of age. */
  readonly #seen = new Map<string, Seen>();
  /** When our last change of each ended; of those that have changed lately. */
  readonly #changedAt = new Map<string, number>();
  #lastChangeAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, keepMs: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  /** When something of ours, whosever it is, was last changed. */
  get lastChangeAt(): number {
    return this.#lastChangeAt;
  }

  get(uid: string, maxAgeMs: number): BalancerObservation<unknown> | undefined {
    const seen = this.#seen.get(uid);
    if (seen === undefined) return undefined;
    const ageMs = this.#clock.monotonic() - seen.askedAt;
    return ageMs < Math.min(maxAgeMs, this.#keepMs) ? seen.observation : undefined;
  }

  /** Whether a call that began then shows our last change of it. */
  shows(uid: string, askedAt: number): boolean {
    return askedAt >= (this.#changedAt.get(uid) ?? Number.NEGATIVE_INFINITY);
  }

  /** Keeps it if it is known and not from before our last change. */
  keep(uid: string, observation: BalancerObservation<unknown>, askedAt: number): void {
    if (observation.kind !== "known" || !this.shows(uid, askedAt)) return;
    this.#seen.delete(uid);
    this.#seen.set(uid, { observation, askedAt });
    this.#dropOld();
  }

  /** A change of ours is on its way: nothing is certain until it has ended. */
  changing(uid: string): void {
    this.#seen.delete(uid);
    this.#changedAt.set(uid, Number.POSITIVE_INFINITY);
  }

  /** It has ended; what is there then, when the cloud's answer told. */
  changed(uid: string, observed: unknown): void {
    const now = this.#clock.monotonic();
    this.#lastChangeAt = now;
    this.#changedAt.delete(uid);
    this.#changedAt.set(uid, now);
    if (observed !== undefined) this.keep(uid, { kind: "known", observed }, now);
    this.#dropOld();
  }

  #dropOld(): void {
    const oldest = this.#clock.monotonic() - this.#keepMs;
    for (const [uid, { askedAt }] of this.#seen) {
      if (askedAt > oldest && this.#seen.size <= MOST) break;
      this.#seen.delete(uid);
    }
    for (const [uid, at] of this.#changedAt) {
      if (at > oldest && this.#changedAt.size <= MOST) break;
      this.#changedAt.delete(uid);
    }
  }
}
