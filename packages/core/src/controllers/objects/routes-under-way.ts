import type { Clock } from "../../model/time.ts";

/** How long a node's initialisation waits for its routes. */
const PATIENCE_MS = 2_000;
/** For how long nobody waits after somebody waited in vain. */
const HASTE_MS = 30_000;

/**
 * The nodes whose first routes are being made. A node takes pods from the moment that it is initialised, and theirs would reach
 * nobody without its routes: so these go first. A cloud that is slow to make them, or refuses, delays no wave of nodes by more than
 * the patience in every half minute.
 */
export class RoutesUnderWay {
  readonly #clock: Clock;
  /** By name: whom to notify at the end. */
  readonly #underWay = new Map<string, Set<() => void>>();
  #hastyUntil: number | undefined;
  /** Between the decision to start the controller of routes and the moment that it knows its Nodes: any may be due. */
  #isStarting: boolean = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The controller of routes is about to start: until it has, each Node counts as one whose routes are being made. */
  expect(): void {
    this.#isStarting = true;
  }

  /** It has started, with a run due for each of these Nodes and for no other. */
  started(names: readonly string[]): void {
    this.#isStarting = false;
    for (const name of names) this.begin(name);
    const known = new Set(names);
    for (const name of [...this.#underWay.keys()]) if (!known.has(name)) this.end(name);
  }

  /** The node is new here, and the run that looks at its routes is due. */
  begin(name: string): void {
    if (!this.#underWay.has(name)) this.#underWay.set(name, new Set());
  }

  /** That run has ended, whatever came of it. */
  end(name: string): void {
    const waiting = this.#underWay.get(name);
    this.#underWay.delete(name);
    for (const goOn of waiting ?? []) goOn();
  }

  /** Resolves when that run has ended, at once where there is none, and at the latest when patience is. */
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

  /** Who waits now would wait as long in vain. */
  #losePatience(): void {
    this.#hastyUntil = this.#clock.monotonic() + HASTE_MS;
    for (const waiting of this.#underWay.values()) for (const goOn of [...waiting]) goOn();
  }
}
