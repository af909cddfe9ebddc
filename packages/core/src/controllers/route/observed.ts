import type { CloudRoute, IpFamily } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ActionOf, RequestedAction } from "../../model/actions/action.ts";
import type { AdoptPolicy, RouteProof } from "../../model/adoption.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { RouteTableDetail } from "../../model/records/route-record.ts";
import type { RouteClaim, RouteOwnership, StaleWhy } from "./claims/route-classifier.ts";

/** Everything from which the plan for one key of the route loop is made. */
export type Observed = NodeObserved | DepartedObserved | LooseObserved | TableObserved;

/** A Node, its ranges, and the routes that lead to them or to it. */
export interface NodeObserved {
  readonly kind: "node";
  readonly key: string;
  readonly node: Node;
  /** The provider's name. */
  readonly provider: string;
  readonly policy: RoutePolicy;
  /** Why it is not one of this cloud's machines; undefined if it may be. */
  readonly strangeness: Reason | undefined;
  readonly ranges: readonly RangeObserved[];
  /** Unwanted routes of ours in a pod range that lead to it or were created for it. */
  readonly stale: readonly StaleRoute[];
  /** Routes without a mark that lead to its machine but to none of its ranges: they wait for consent. */
  readonly claims: readonly ClaimedRoute[];
  /** Who adopts which route in the run that does so. */
  readonly adoption: RouteAdoption | undefined;
  readonly unconfirmed: Unconfirmed | undefined;
  /** If the cloud no longer has a machine for it: the request with that answer. */
  readonly withoutMachine: { readonly requestId?: string } | undefined;
  /** The failed attempts of this run: by the range that needs a route, or by the id of a route to delete. */
  readonly failures: ReadonlyMap<string, Reason>;
  /** When the cloud answered, in milliseconds since the epoch. */
  readonly asOf: number;
}

/** What a deleted Node has left behind. */
export interface DepartedObserved {
  readonly kind: "departed";
  readonly key: string;
  readonly object: ObjectRef;
  readonly stale: readonly StaleRoute[];
  readonly unconfirmed: Unconfirmed | undefined;
}

/** A route of ours that belongs to no known Node. */
export interface LooseObserved {
  readonly kind: "loose";
  readonly key: string;
  readonly stale: StaleRoute;
  readonly unconfirmed: Unconfirmed | undefined;
}

export interface TableObserved {
  readonly kind: "table";
  readonly key: string;
  readonly id: string;
  readonly detail: RouteTableDetail;
}

/** One pod range of a Node. */
export interface RangeObserved {
  /** Canonical, or as written if it is not a range. */
  readonly cidr: string;
  readonly family: IpFamily;
  /** Why this Node must have no route for it. */
  readonly refused: Reason | undefined;
  /** The correct route. */
  readonly right: CloudRoute | undefined;
  /** How the correct route is known to be the Node's if it carries no mark. */
  readonly ownership?: RouteOwnership;
  /** Routes of ours to this range that do not lead to the Node. */
  readonly wrong: readonly StaleRoute[];
  /** Somebody else's route to this range. */
  readonly foreign:
    | { readonly route: CloudRoute; readonly owner: string; readonly claim?: RouteClaim }
    | undefined;
}

export interface ClaimedRoute {
  readonly route: CloudRoute;
  readonly destination: string;
  readonly proofs: readonly RouteProof[];
}

export interface RouteAdoption {
  readonly requested: RequestedAction<ActionOf<"adopt">>;
  /** Whether such a route waits for consent. */
  readonly isFound: boolean;
  /** Whether this run has already removed it. */
  readonly isCarriedOut: boolean;
}

export interface StaleRoute {
  readonly route: CloudRoute;
  readonly destination: string;
  readonly why: StaleWhy;
  /** Whether it lies in a pod range; others are never deleted. */
  readonly isResponsible: boolean;
}

/** The routes that look stale in one listing. */
export interface Suspects {
  /** When the cloud answered, in milliseconds since the epoch. */
  readonly asOf: number;
  readonly ids: ReadonlySet<string>;
  /** How many routes of ours are in the listing. */
  readonly ours: number;
}

/** Routes that look stale in only one listing and are too many to be believed (RW-12). */
export interface Unconfirmed {
  readonly ids: ReadonlySet<string>;
  /** How many routes of ours are in the listing. */
  readonly of: number;
  /** Everything that looks stale in the listing. */
  readonly listing: Suspects;
}

export interface RoutePolicy {
  /**
   * `--route-condition`: whether a condition that somebody else wrote is overwritten (as in upstream) or left
   * alone.
   */
  readonly condition: "overwrite" | "own";
  /** `--cluster-cidr`, canonical. */
  readonly ranges: readonly string[];
  readonly adopt: AdoptPolicy;
  /** `--adopt-consent`: for each Node, the cloud's id of a route that it may adopt with one proof. */
  readonly consents?: ReadonlyMap<string, string>;
}
