import type { Clock } from "../../../model/time.ts";

/** Whether changes of nodes are being gathered: runs in progress keep the nodes that they have. */
export interface NodeWave {
  isGathering: boolean;
}

export interface MemberChangesOptions {
  readonly wave: NodeWave;
  readonly clock: Clock;
  /** Called when the gathered node changes have to be acted on, for all load balancers at once. */
  act(): void;
}

/** The delay of a lone change, within which changes count as simultaneous. */
const FIRST_MS = 5;
/**
 * While changes keep coming they gather for longer and longer intervals; after this much quiet the wave is over, and
 * the gathered changes are acted on. Machines come in bursts, so the quiet between two bursts counts for less and less.
 */
const GATHERING = [
  { gapMs: 2_000, quietMs: 500 },
  { gapMs: 4_000, quietMs: 1_000 },
  { gapMs: 8_000, quietMs: 2_000 },
] as const;
/** After this much quiet the next change counts as a lone one again. */
const CALM_MS = 5_000;

/**
 * Gathers changes of nodes, so that a wave of joining nodes costs a handful of updates per load balancer and a lone change
 * acts at once (spec/30 SW-12; issue 5: at most 5 for 500 nodes within 10 s).
 */
export class MemberChanges {
  readonly #clock: Clock;
  readonly #act: () => void;
  readonly #wave: NodeWave;
  #acts = 0;
  #actedAt = Number.NEGATIVE_INFINITY;
  #notedAt = Number.NEGATIVE_INFINITY;
  /** Since when changes have been gathering; undefined while there are none. */
  #openSince: number | undefined;
  #cancel: () => void = () => undefined;

  constructor({ clock, act, wave }: MemberChangesOptions) {
    this.#clock = clock;
    this.#act = act;
    this.#wave = wave;
  }

  /** Notes that a node came, went or changed in a way that matters. */
  note(): void {
    const now = this.#clock.monotonic();
    if (now - Math.max(this.#actedAt, this.#notedAt) > CALM_MS) this.#acts = 0;
    this.#notedAt = now;
    this.#openSince ??= now;
    this.#wave.isGathering = true;
    this.#wait(now, this.#openSince);
  }

  stop(): void {
    this.#openSince = undefined;
    this.#wave.isGathering = false;
    this.#cancel();
  }

  #wait(now: number, openSince: number): void {
    this.#cancel();
    const delayMs = Math.max(0, this.#dueAt(openSince) - now);
    this.#cancel = this.#clock.after(delayMs, () => this.#flush());
  }

  /** The first change of a wave is due soon; a later one after its interval, or when it has become quiet. */
  #dueAt(openSince: number): number {
    if (this.#acts === 0) return openSince + FIRST_MS;
    const place = Math.min(this.#acts, GATHERING.length) - 1;
    const { gapMs, quietMs } = GATHERING[place] ?? GATHERING[0];
    return Math.min(this.#actedAt + gapMs, this.#notedAt + quietMs);
  }

  #flush(): void {
    if (this.#openSince === undefined) return;
    this.#openSince = undefined;
    this.#wave.isGathering = false;
    this.#acts += 1;
    this.#actedAt = this.#clock.monotonic();
    this.#act();
  }
}

/**
 * Measures how long all load balancers take to follow a change of nodes, from the change to the last run (spec/30
 * §8).
 */
export class NodeSyncs {
  readonly #clock: Clock;
  readonly #observe: (seconds: number) => void;
  readonly #open = new Set<{ readonly startedAt: number; readonly keys: Set<string> }>();

  constructor(clock: Clock, observe: (seconds: number) => void) {
    this.#clock = clock;
    this.#observe = observe;
  }

  begin(keys: readonly string[]): void {
    if (keys.length === 0) return;
    this.#open.add({ startedAt: this.#clock.monotonic(), keys: new Set(keys) });
  }

  /** The run of this key has ended, whatever the result. */
  ended(key: string): void {
    for (const sync of this.#open) {
      sync.keys.delete(key);
      if (sync.keys.size > 0) continue;
      this.#open.delete(sync);
      this.#observe((this.#clock.monotonic() - sync.startedAt) / 1_000);
    }
  }
}
