import type { CloudRoute, RouteListing, RouteTable } from "@cloudwright/provider-api";
import type { Clock } from "../../model/time.ts";
import { type GatheringRequest, oldestFor } from "../gathering/gathered-batch.ts";
import type { SeenRoutes } from "../ports.ts";
import { RouteIndex } from "./route-index.ts";

/**
 * The route tables of the last listing, amended by the answers to our own changes. A listing may or may not show a change that
 * ended while it was in progress: that change is applied to it once more. After a change with an unknown result nothing is certain
 * until a listing has started after its end. There is never more than one listing in progress.
 */
export class RouteSnapshot {
  readonly #clock: Clock;
  #kept: KeptListing | undefined;
  #onItsWay: ListingOnItsWay | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns what is known, if it is certain and was requested recently enough for this request. */
  get(request: Pick<GatheringRequest, "maxAgeMs" | "notBefore">): SeenRoutes | undefined {
    const kept = this.#kept;
    if (kept === undefined || kept.isDoubtful) return undefined;
    return kept.askedAt > oldestFor(request, this.#clock.monotonic()) ? kept.seen() : undefined;
  }

  /** Whether the listing in progress will show everything that has ended by now. */
  get awaitsAll(): boolean {
    return this.#onItsWay?.isDoubtful === false;
  }

  /** A listing is being sent; the returned value identifies it. */
  asks(): ListingOnItsWay {
    const askedAt = this.#clock.monotonic();
    this.#onItsWay = { askedAt, asOf: this.#clock.now(), amendments: [], isDoubtful: false };
    return this.#onItsWay;
  }

  /** Stores the result of the listing, amended. */
  shows(asked: ListingOnItsWay, listing: RouteListing): SeenRoutes {
    this.#onItsWay = undefined;
    const kept = new KeptListing(listing, asked);
    for (const amendment of asked.amendments) kept.amend(amendment);
    this.#kept = kept;
    return kept.seen();
  }

  /** The listing failed. */
  fails(): void {
    this.#onItsWay = undefined;
  }

  created(route: CloudRoute): void {
    this.#amend({ kind: "created", route });
  }

  removed(route: CloudRoute): void {
    this.#amend({ kind: "removed", route });
  }

  /** A change has ended, and the present state is unknown. */
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
  /** The changes that ended since it was sent. */
  readonly amendments: Amendment[];
  isDoubtful: boolean;
}

class KeptListing {
  readonly askedAt: number;
  isDoubtful: boolean;
  readonly #asOf: number;
  readonly #listing: RouteListing;
  readonly #routes: Map<string, CloudRoute>;
  /** Created when the first run looks for the routes of one node: idle listings need none. */
  #index: RouteIndex | undefined;
  /** By how many routes each table differs from its reported number. */
  readonly #gained = new Map<string, number>();
  /** Created on demand: a wave of changes would otherwise rebuild it for each. */
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
