import type { Clock } from "../../model/time.ts";

export interface MemberChangesOptions {
  readonly clock: Clock;
  /** Told when the nodes' changes so far are to be acted upon, for all balancers at once. */
  act(): void;
}

/** A lone change acts after this: changes that come together are one. */
const FIRST_MS = 100;
/** While changes keep coming they gather for longer and longer. */
const GAPS_MS = [1_000, 2_000, 4_000, 8_000] as const;
/** When it has been quiet for so long the wave is over, and what has gathered is acted upon. */
const QUIET_MS = 500;
/** After so much quiet the next change is a lone one again. */
const CALM_MS = 5_000;

/**
 * Gathers changes of nodes, so that a wave of joining nodes is a handful of updates a balancer and a lone change acts at
 * once (spec/30 SW-12; issue 5: at most 5 for 500 nodes within 10 s).
 */
export class MemberChanges {
  readonly #clock: Clock;
  readonly #act: () => void;
  #acts = 0;
  #actedAt = Number.NEGATIVE_INFINITY;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** Since when changes gather; undefined while there are none. */
  #openSince: number | undefined;
  #cancel: () => void = () => undefined;

  constructor({ clock, act }: MemberChangesOptions) {
    this.#clock = clock;
    this.#act = act;
  }

  /** A node came, went or changed in a way that matters. */
  note(): void {
    const now = this.#clock.monotonic();
    if (now - Math.max(this.#actedAt, this.#notedAt) > CALM_MS) this.#acts = 0;
    this.#notedAt = now;
    this.#openSince ??= now;
    this.#wait(now, this.#openSince);
  }

  stop(): void {
    this.#openSince = undefined;
    this.#cancel();
  }

  #wait(now: number, openSince: number): void {
    this.#cancel();
    const delayMs = Math.max(0, this.#dueAt(openSince) - now);
    this.#cancel = this.#clock.after(delayMs, () => this.#flush());
  }

  /** The first of a wave is due soon; a later one after its gap, or when it has become quiet. */
  #dueAt(openSince: number): number {
    if (this.#acts === 0) return openSince + FIRST_MS;
    const gapMs = GAPS_MS[Math.min(this.#acts, GAPS_MS.length) - 1] ?? CALM_MS;
    return Math.min(this.#actedAt + gapMs, this.#notedAt + QUIET_MS);
  }

  #flush(): void {
    if (this.#openSince === undefined) return;
    this.#openSince = undefined;
    this.#acts += 1;
    this.#actedAt = this.#clock.monotonic();
    this.#act();
  }
}
