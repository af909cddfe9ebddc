import type { SeenRoutes } from "../../cloud/ports.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type { RouteClassifier } from "./claims/route-classifier.ts";
import type { Suspects, Unconfirmed } from "./observed.ts";

/**
 * A second listing is required if more routes than this look stale at once: a fixed number or a share of our routes,
 * whichever is larger.
 */
const MOST_AT_ONCE = { routes: 5, share: 0.1 } as const;

/**
 * Believes one listing about a few stale routes, and two about many: a cloud or a provider that once reports wrong targets must
 * not cost all routes (spec/40 RW-12). Nodes that this process saw being deleted need no second listing. The code that feeds the
 * queue owns this and notes its periodic listings; a run remembers the listing that made it wait.
 */
export class DeletionBrake {
  readonly #classifier: RouteClassifier;
  /** The suspects of the newest listing, for all runs that observe it. */
  #newest: Suspects | undefined;
  /** The suspects of the last two periodic listings: a run may be observing the later one now. */
  #swept: readonly Suspects[] = [];

  constructor(classifier: RouteClassifier) {
    this.#classifier = classifier;
  }

  /**
   * Returns the routes that this listing and the one before it do not suffice to delete; undefined if there are none. `doubts`:
   * what made the last run wait.
   */
  unconfirmed(
    seen: Pick<SeenRoutes, "routes" | "asOf">,
    doubts?: Suspects,
  ): Unconfirmed | undefined {
    const listing = this.#suspectsIn(seen);
    const { ids, ours, asOf } = listing;
    if (ids.size <= Math.max(MOST_AT_ONCE.routes, ours * MOST_AT_ONCE.share)) return undefined;
    const [before] = [doubts, ...this.#swept]
      .filter((one) => one !== undefined && one.asOf < asOf)
      .toSorted((one, other) => (other?.asOf ?? 0) - (one?.asOf ?? 0));
    const doubted = [...ids].filter((id) => before?.ids.has(id) !== true);
    return doubted.length === 0 ? undefined : { ids: new Set(doubted), of: ours, listing };
  }

  /** Notes that a periodic listing was acted on: the next ones are compared with it. */
  sweptBy(seen: Pick<SeenRoutes, "routes" | "asOf">): void {
    const last = this.#swept.at(-1);
    this.#swept = [...(last === undefined ? [] : [last]), this.#suspectsIn(seen)];
  }

  #suspectsIn(seen: Pick<SeenRoutes, "routes" | "asOf">): Suspects {
    const known = this.#newest;
    if (known !== undefined && seen.asOf <= known.asOf) return known;
    const judged = seen.routes.map((route) => this.#classifier.judge(route));
    const stale = judged.filter((one) => one.kind === "stale" && one.isResponsible && !one.sawItGo);
    this.#newest = {
      asOf: seen.asOf,
      ids: new Set(stale.map(({ route }) => route.id)),
      ours: judged.filter(({ kind }) => kind !== "foreign").length,
    };
    return this.#newest;
  }
}

/** How long until the cloud is asked again about routes that look stale all at once. */
export const CONFIRM_AFTER_MS = 1_000;

export function isUnconfirmed(unconfirmed: Unconfirmed | undefined, id: string): boolean {
  return unconfirmed?.ids.has(id) === true;
}

export function confirmation({ ids, of }: Unconfirmed): ReasonOf<"RouteDeletionsUnconfirmed"> {
  return { code: "RouteDeletionsUnconfirmed", routes: ids.size, of };
}
