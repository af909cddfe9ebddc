import type { RouteOwner, Routes } from "../../routes.ts";
import type { EndlessCloud } from "../endless.ts";

/** A provider with its own cloud, whose tables are empty at first; one per case. Cases that need an absent optional member are skipped. */
export interface RoutesFixture extends EndlessCloud {
  /** The provider's name. */
  readonly provider: string;
  /** How long the cloud may take for one answer, milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  readonly routes: Routes;
  /** Creates a machine with its Node's name; returns its provider ID. */
  createMachine(name: string): Promise<string>;
  /** Returns all routes of the cloud, whoever owns them, as a user sees them in the cloud's console. */
  table(): Promise<readonly SeenRoute[]>;
  /** A provider ID with the provider's scheme that no machine has. */
  readonly unknownMachine?: string;
  /** Removes a machine; routes to it then lead nowhere. */
  removeMachine?(providerID: string): Promise<void>;
  /** Creates a route as a user, another cluster or another tool would; returns its id. */
  createForeign?(route: ForeignRoute): Promise<string>;
  /** A destination that the cloud stores in another spelling, and its canonical form. */
  readonly otherSpelling?: { readonly asKept: string; readonly canonical: string };
  /** Removes a route, as a user in the console would. */
  removeRoute?(id: string): Promise<void>;
  /** Makes the next such change succeed and loses its answer. */
  loseNextAnswer?(action: "create" | "remove"): Promise<void>;
  /** Makes the cloud reject every call as too many, until the returned function undoes it. */
  throttle?(retryAfterMs: number): Promise<() => Promise<void>>;
  /** Makes every call fail, until the returned function undoes it. */
  breakCloud?(): Promise<() => Promise<void>>;
  /** Limits the number of routes in a table from now on. */
  limitRoutes?(count: number): Promise<void>;
  /** Creates this many foreign routes: more than a page of the cloud's listing. */
  fill?(count: number): Promise<void>;
}

export interface ForeignRoute {
  /** Canonical, except for the fixture's `otherSpelling`. */
  readonly destination: string;
  /** Undefined for a route that leads nowhere. */
  readonly providerID: string | undefined;
  readonly owner?: RouteOwner;
}

export interface SeenRoute {
  readonly id: string;
  /** Canonical. */
  readonly destination: string;
  /** Undefined for a route that leads nowhere. */
  readonly providerID: string | undefined;
  readonly owner: { readonly clusterUid: string; readonly objectUid: string } | undefined;
}

/** The needs that a fixture may lack. */
export type RouteNeed =
  | Exclude<keyof RoutesFixture, "provider" | "deadlineMs" | "routes" | "createMachine" | "table">
  /** Means that routes carry their owner. */
  | "storesOwner";
