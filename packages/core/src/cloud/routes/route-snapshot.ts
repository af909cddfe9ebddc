import type { CloudRoute, RouteListing, RouteTable } from "@cloudwright/provider-api";
import type { Clock } from "../../model/time.ts";
import { type GatheringRequest, oldestFor } from "../gathering/gathered-batch.ts";
import type { SeenRoutes } from "../ports.ts";
import { RouteIndex } from "./route-index.ts";

/**
 * The route tables as the last listing showed them, amended by what was answered to our own changes. A listing may or may not
 * show a change that ended while it was on its way: that change is applied to it once more. Nothing is certain after a change
 * of which nobody knows what came of it, until a listing has begun after its end. There is never more than one listing on its way.
 */
export class RouteSnapshot {
  readonly #clock: Clock;
  #kept: KeptListing | undefined;
  #onItsWay: ListingOnItsWay | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is known, when it is certain and was asked for recently enough for this request. */
  get(request: Pick<GatheringRequest, "maxAgeMs" | "notBefore">): SeenRoutes | undefined {
    const kept = this.#kept;
    if (kept === undefined || kept.isDoubtful) return undefined;
    return kept.askedAt > oldestFor(request, this.#clock.monotonic()) ? kept.seen() : undefined;
  }

  /** Whether the listing on its way will show everything that has ended by now. */
  get awaitsAll(): boolean {
    return this.#onItsWay?.isDoubtful === false;
  }

  /** A listing leaves now; the answer stands for it. */
  asks(): ListingOnItsWay {
    const askedAt = this.#clock.monotonic();
    this.#onItsWay = { askedAt, asOf: this.#clock.now(), amendments: [], isDoubtful: false };
    return this.#onItsWay;
  }

  /** What it brought, amended. */
  shows(asked: ListingOnItsWay, listing: RouteListing): SeenRoutes {
    this.#onItsWay = undefined;
    const kept = new KeptListing(listing, asked);
    for (const amendment of asked.amendments) kept.amend(amendment);
    this.#kept = kept;
    return kept.seen();
  }

  /** It brought nothing. */
  fails(): void {
    this.#onItsWay = undefined;
  }

  created(route: CloudRoute): void {
    this.#amend({ kind: "created", route });
  }

  removed(route: CloudRoute): void {
    this.#amend({ kind: "removed", route });
  }

  /** A change has ended, and nobody knows what is there now. */
  doubt(): void {
    if (this.#kept !== undefined) this.#kept.isDoubtful = true;
    if (this.#onItsWay !== undefined) this.#onItsWay.isDoubtful = true;
  }

  #amend(amendment: Amendment): void {
    this.#kept?.amend(amendment);
    this.#onItsWay?.amendments.push(amendment);
  }
}

interface Amendment {
  readonly kind: "created" | "removed";
  readonly route: CloudRoute;
}

export interface ListingOnItsWay {
  /** Monotonic milliseconds. */
  readonly askedAt: number;
  /** Milliseconds since the epoch. */
  readonly asOf: number;
  /** What ended since it left. */
  readonly amendments: Amendment[];
  isDoubtful: boolean;
}

class KeptListing {
  readonly askedAt: number;
  isDoubtful: boolean;
  readonly #asOf: number;
  readonly #listing: RouteListing;
  readonly #routes: Map<string, CloudRoute>;
  /** Made when the first run looks for the routes of one node: idle listings need none. */
  #index: RouteIndex | undefined;
  /** How many routes each table has more or less than it said. */
  readonly #gained = new Map<string, number>();
  /** Made when somebody looks: a wave of changes would else make it anew for each. */
  #seen: SeenRoutes | undefined;

  constructor(listing: RouteListing, { askedAt, asOf, isDoubtful }: ListingOnItsWay) {
    this.askedAt = askedAt;
    this.isDoubtful = isDoubtful;
    this.#asOf = asOf;
    this.#listing = listing;
    this.#routes = new Map(listing.routes.map((route) => [route.id, route]));
  }

  amend({ kind, route }: Amendment): void {
    const known = this.#routes.get(route.id);
    const has = kind === "created";
    if (known !== undefined) this.#index?.remove(known);
    if (has) {
      this.#routes.set(route.id, route);
      this.#index?.add(route);
    } else this.#routes.delete(route.id);
    const gained = this.#gained.get(route.table) ?? 0;
    this.#gained.set(route.table, gained + Number(has) - Number(known !== undefined));
    this.#seen = undefined;
  }

  seen(): SeenRoutes {
    this.#seen ??= {
      ...this.#listing,
      routes: [...this.#routes.values()],
      tables: this.#listing.tables.map((table) => this.#table(table)),
      asOf: this.#asOf,
      having: (traits) => {
        this.#index ??= new RouteIndex(this.#routes.values());
        return this.#index.having(traits);
      },
    };
    return this.#seen;
  }

  #table(table: RouteTable): RouteTable {
    const gained = this.#gained.get(table.id) ?? 0;
    return gained === 0 ? table : { ...table, used: table.used + gained };
  }
}
