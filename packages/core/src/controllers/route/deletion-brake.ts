import type { SeenRoutes } from "../../cloud/routes/route-port.ts";
import type { ReasonOf } from "../../model/reason.ts";
import type { Unconfirmed } from "./observed.ts";
import type { RouteWorld } from "./route-world.ts";

/** So many may look stale at once, or this share of ours, the larger of the two, before a second listing is asked for. */
const MOST_AT_ONCE = { routes: 5, share: 0.1 } as const;

/**
 * Believes one listing about a few stale routes, and two about many: a cloud or a provider that answers wrong targets once
 * must not cost all routes (spec/40 RW-12). Nodes that this process saw go are their own proof.
 */
export class DeletionBrake {
  readonly #world: RouteWorld;
  #asOf: number | undefined;
  #suspects: ReadonlySet<string> = new Set();
  #unconfirmed: Unconfirmed | undefined;

  constructor(world: RouteWorld) {
    this.#world = world;
  }

  /** The routes that this listing, and those before it, do not suffice to delete; undefined when there are none. */
  heed(seen: Pick<SeenRoutes, "routes" | "asOf">): Unconfirmed | undefined {
    if (this.#asOf !== undefined && seen.asOf <= this.#asOf) return this.#unconfirmed;
    const before = this.#suspects;
    const { suspects, ours } = this.#suspectsIn(seen);
    const isMany = suspects.length > Math.max(MOST_AT_ONCE.routes, ours * MOST_AT_ONCE.share);
    const doubted = isMany ? suspects.filter((id) => !before.has(id)) : [];
    this.#asOf = seen.asOf;
    this.#suspects = new Set(suspects);
    this.#unconfirmed = doubted.length === 0 ? undefined : { ids: new Set(doubted), of: ours };
    return this.#unconfirmed;
  }

  #suspectsIn({ routes }: Pick<SeenRoutes, "routes">): {
    readonly suspects: string[];
    readonly ours: number;
  } {
    const judged = routes.map((route) => this.#world.judge(route));
    const stale = judged.filter((one) => one.kind === "stale" && one.isResponsible && !one.sawItGo);
    return {
      suspects: stale.map(({ route }) => route.id),
      ours: judged.filter(({ kind }) => kind !== "foreign").length,
    };
  }
}

/** When the cloud is asked a second time about routes that look stale all at once. */
export const CONFIRM_AFTER_MS = 1_000;

export function isUnconfirmed(unconfirmed: Unconfirmed | undefined, id: string): boolean {
  return unconfirmed?.ids.has(id) === true;
}

export function confirmation({ ids, of }: Unconfirmed): ReasonOf<"RouteDeletionsUnconfirmed"> {
  return { code: "RouteDeletionsUnconfirmed", routes: ids.size, of };
}
