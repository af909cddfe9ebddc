import type { Clock } from "../../model/time.ts";

/** How long a node's initialisation waits for its routes. */
const PATIENCE_MS = 2_000;
/** How long no node waits after one has waited without success. */
const HASTE_MS = 30_000;

/**
 * The nodes whose first routes are being made. A node takes pods as soon as it is initialised, and nobody could reach them without
 * its routes, so the routes are made first. A cloud that is slow to make routes, or refuses to, delays a wave of nodes by at most
 * the patience in every half minute.
 */
export class RoutesUnderWay {
  readonly #clock: Clock;
  /** By name: the callbacks for the end. */
  readonly #underWay = new Map<string, Set<() => void>>();
  #hastyUntil: number | undefined;
  /** True from the decision to start the route controller until it knows its Nodes: any of them may be due. */
  #isStarting: boolean = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The route controller is about to start: until it has started, each Node counts as one whose routes are being made.
   */
  expect(): void {
    this.#isStarting = true;
  }

  /** The route controller has started, with a run due for exactly these Nodes. */
  started(names: readonly string[]): void {
    this.#isStarting = false;
    for (const name of names) this.begin(name);
    const known = new Set(names);
    for (const name of [...this.#underWay.keys()]) if (!known.has(name)) this.end(name);
  }

  /** The node is new, and the run for its routes is due. */
  begin(name: string): void {
    if (!this.#underWay.has(name)) this.#underWay.set(name, new Set());
  }

  /** That run has ended, whatever the result. */
  end(name: string): void {
    const waiting = this.#underWay.get(name);
    this.#underWay.delete(name);
    for (const goOn of waiting ?? []) goOn();
  }

  /** Resolves when that run has ended, at once if there is none, and at the latest when patience runs out. */
  settled(name: string): Promise<void> {
    if (this.#isStarting) this.begin(name);
    const waiting = this.#underWay.get(name);
    if (waiting === undefined || this.#isHasty) return Promise.resolve();
    return new Promise((resolve) => {
      const goOn = () => {
        cancel();
        waiting.delete(goOn);
        resolve();
      };
      const cancel = this.#clock.after(PATIENCE_MS, () => this.#losePatience());
      waiting.add(goOn);
    });
  }

  get #isHasty(): boolean {
    return this.#hastyUntil !== undefined && this.#clock.monotonic() < this.#hastyUntil;
  }

  /** Releases all that wait now, as they would not succeed either. */
  #losePatience(): void {
    this.#hastyUntil = this.#clock.monotonic() + HASTE_MS;
    for (const waiting of this.#underWay.values()) for (const goOn of [...waiting]) goOn();
  }
}
