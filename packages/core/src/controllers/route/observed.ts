import type { CloudRoute, IpFamily } from "@cloudwright/provider-api";
import type { Node } from "../../kube/client.ts";
import type { ActionOf, RequestedAction } from "../../model/actions/action.ts";
import type { AdoptPolicy, RouteProof } from "../../model/adoption.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { RouteTableDetail } from "../../model/records/route-record.ts";
import type { RouteClaim, RouteOwnership, StaleWhy } from "./claims/route-classifier.ts";

/** Everything that a plan for one key of the route loop is made of. */
export type Observed = NodeObserved | DepartedObserved | LooseObserved | TableObserved;

/** A Node, the ranges that it has, and the routes that lead to them or to it. */
export interface NodeObserved {
  readonly kind: "node";
  readonly key: string;
  readonly node: Node;
  /** The provider's name. */
  readonly provider: string;
  readonly policy: RoutePolicy;
  /** Why it is none of this cloud's machines; undefined when it may be one. */
  readonly strangeness: Reason | undefined;
  readonly ranges: readonly RangeObserved[];
  /** Routes of ours in a range of the pods that lead to it, or were made for it, and are asked for by nobody. */
  readonly stale: readonly StaleRoute[];
  /** Routes without a mark that lead to its machine and to none of its ranges: they wait for consent. */
  readonly claims: readonly ClaimedRoute[];
  /** Who adopts which route, in the run that carries it out. */
  readonly adoption: RouteAdoption | undefined;
  readonly unconfirmed: Unconfirmed | undefined;
  /** Where the cloud has no machine for it any more: in which answer it said so. */
  readonly withoutMachine: { readonly requestId?: string } | undefined;
  /** What this run has tried in vain: by the range to which there is to be a route, or by the id of one that is to go. */
  readonly failures: ReadonlyMap<string, Reason>;
  /** When the cloud said so, milliseconds since the epoch. */
  readonly asOf: number;
}

/** What a Node that went has left behind. */
export interface DepartedObserved {
  readonly kind: "departed";
  readonly key: string;
  readonly object: ObjectRef;
  readonly stale: readonly StaleRoute[];
  readonly unconfirmed: Unconfirmed | undefined;
}

/** A route of ours that belongs to no Node that we know. */
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
  /** Canonical, or as it is written when it is no range. */
  readonly cidr: string;
  readonly family: IpFamily;
  /** Why there is to be no route to it for this Node. */
  readonly refused: Reason | undefined;
  /** The route that is as it should be. */
  readonly right: CloudRoute | undefined;
  /** How the right one is known to be the Node's where it carries no mark. */
  readonly ownership?: RouteOwnership;
  /** Routes of ours to this range that do not serve the Node. */
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
  /** Whether this run has removed it already. */
  readonly isCarriedOut: boolean;
}

export interface StaleRoute {
  readonly route: CloudRoute;
  readonly destination: string;
  readonly why: StaleWhy;
  /** Whether it lies in a range of the pods; others are never deleted. */
  readonly isResponsible: boolean;
}

/** The routes that one listing shows as stale. */
export interface Suspects {
  /** When the cloud said so, milliseconds since the epoch. */
  readonly asOf: number;
  readonly ids: ReadonlySet<string>;
  /** How many routes of ours the listing has. */
  readonly ours: number;
}

/** Routes that one listing alone shows as stale, too many to be believed (RW-12). */
export interface Unconfirmed {
  readonly ids: ReadonlySet<string>;
  /** How many routes of ours the listing has. */
  readonly of: number;
  /** All that the listing shows as stale. */
  readonly listing: Suspects;
}

export interface RoutePolicy {
  /** `--route-condition`: whether a condition that somebody else wrote is written over (upstream) or left alone. */
  readonly condition: "overwrite" | "own";
  /** `--cluster-cidr`, canonical. */
  readonly ranges: readonly string[];
  readonly adopt: AdoptPolicy;
  /** `--adopt-consent`: by Node the cloud's id of a route that it may adopt with one proof. */
  readonly consents?: ReadonlyMap<string, string>;
}
