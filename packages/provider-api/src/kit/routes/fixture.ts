import type { RouteOwner, Routes } from "../../routes.ts";
import type { EndlessCloud } from "../endless.ts";

/** A provider on a cloud of its own whose tables are empty at first; one for each case. What is optional is skipped where it is absent. */
export interface RoutesFixture extends EndlessCloud {
  /** The provider's name. */
  readonly provider: string;
  /** What the cloud has for one answer, milliseconds; 10,000 unless given. */
  readonly deadlineMs?: number;
  readonly routes: Routes;
  /** Makes a machine of the name that its Node has; answers its provider ID. */
  createMachine(name: string): Promise<string>;
  /** All routes of the cloud, whosever they are, as a user sees them in its console. */
  table(): Promise<readonly SeenRoute[]>;
  /** A provider ID of its own scheme that no machine has. */
  readonly unknownMachine?: string;
  /** Ends a machine; routes to it lead nowhere then. */
  removeMachine?(providerID: string): Promise<void>;
  /** Makes a route as a user, another cluster or another tool would; answers its id. */
  createForeign?(route: ForeignRoute): Promise<string>;
  /** A destination that the cloud keeps in other words, and the canonical form of the same. */
  readonly otherSpelling?: { readonly asKept: string; readonly canonical: string };
  /** Removes a route, as a user in the console would. */
  removeRoute?(id: string): Promise<void>;
  /** The work of the next such change is done, and its answer lost. */
  loseNextAnswer?(action: "create" | "remove"): Promise<void>;
  /** Every call is refused as too many, until the answer undoes it. */
  throttle?(retryAfterMs: number): Promise<() => Promise<void>>;
  /** Every call fails, until the answer undoes it. */
  breakCloud?(): Promise<() => Promise<void>>;
  /** No more than so many routes in a table from now on. */
  limitRoutes?(count: number): Promise<void>;
  /** Makes so many foreign routes: more than a page of the cloud's listing. */
  fill?(count: number): Promise<void>;
}

export interface ForeignRoute {
  /** Canonical, but for the fixture's `otherSpelling`. */
  readonly destination: string;
  /** Undefined leads nowhere. */
  readonly providerID: string | undefined;
  readonly owner?: RouteOwner;
}

export interface SeenRoute {
  readonly id: string;
  /** Canonical. */
  readonly destination: string;
  /** Undefined when it leads nowhere. */
  readonly providerID: string | undefined;
  readonly owner: { readonly clusterUid: string; readonly objectUid: string } | undefined;
}

/** Those that a fixture may lack. */
export type RouteNeed =
  | Exclude<keyof RoutesFixture, "provider" | "deadlineMs" | "routes" | "createMachine" | "table">
  /** That routes carry their owner. */
  | "storesOwner";
