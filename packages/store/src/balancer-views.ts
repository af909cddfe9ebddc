import type {
  BalancerDetail,
  MemberVerdict,
  OrphanDetail,
} from "@cloudwright/core/model/balancer-record";
import type { Intent } from "@cloudwright/core/model/intent";
import type { Drift, State } from "@cloudwright/core/model/state";
import type { NodeRow, Page } from "./views.ts";

/** What the pages of load balancers show (UX.md section 6). Times are milliseconds since the epoch. */

/** A Service with its balancer. */
export interface BalancerRow extends ObjectSummary {
  readonly namespace: string;
  readonly service: string;
  /** The cloud's id of the balancer; undefined while there is none. */
  readonly balancerId: string | undefined;
  /** The cloud's word, such as `network`. */
  readonly type: string | undefined;
  /** What the Service publishes; while that is nothing, what the balancer has. */
  readonly addresses: readonly string[];
  readonly members: { readonly in: number; readonly wanted: number } | undefined;
  readonly drift: Drift;
  /** When something of it was last changed by us. */
  readonly changedAt: number | undefined;
}

/** What is known of any object that a list shows. */
export interface ObjectSummary
  extends Pick<
    NodeRow,
    | "name"
    | "uid"
    | "state"
    | "reason"
    | "controller"
    | "since"
    | "nextAt"
    | "failures"
    | "lastRun"
    | "updatedAt"
  > {}

export const BALANCER_SORTS = ["state", "name", "since", "members", "changed"] as const;
export type BalancerSort = (typeof BALANCER_SORTS)[number];

export interface BalancersFilter {
  /** Part of a namespace and name, an address, or the balancer's id or name. */
  readonly text?: string | undefined;
  readonly states?: readonly State[] | undefined;
  readonly drift?: Drift | undefined;
  /** The code of a reason, or its name. */
  readonly reason?: string | undefined;
}

export interface BalancersPage extends Page<BalancerRow> {
  readonly counts: BalancerCounts;
}

/** Of the whole cluster, whatever the filter. */
export interface BalancerCounts {
  readonly states: Readonly<Record<State, number>>;
  readonly drifted: number;
  /** In the cloud with our mark and without a Service. */
  readonly orphans: number;
  readonly orphansStuck: number;
}

export interface BalancerView {
  readonly row: BalancerRow;
  /** When the Service was created. */
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
  /** Undefined when nothing is known but the state, or a newer version has written it. */
  readonly detail: BalancerDetail | undefined;
  readonly openIntents: readonly Intent[];
}

/** A balancer of this cluster that has no Service. */
export interface OrphanRow extends ObjectSummary {
  readonly detail: OrphanDetail;
  readonly openIntents: readonly Intent[];
}

export const ORPHAN_SORTS = ["since", "name"] as const;
export type OrphanSort = (typeof ORPHAN_SORTS)[number];

export interface OrphansFilter {
  /** Part of its id, name, address or Service. */
  readonly text?: string | undefined;
}

export interface OrphansPage extends Page<OrphanRow> {
  readonly counts: BalancerCounts;
}

/** How a node stands towards the balancer of one Service. */
export interface NodeBalancer {
  readonly service: string;
  readonly state: State;
  readonly addresses: readonly string[];
  readonly verdict: MemberVerdict;
}

export interface NodeBalancers {
  /** Those that the node is behind first, each part in the order of names; at most `NODE_BALANCERS_MOST`. */
  readonly balancers: readonly NodeBalancer[];
  /** Behind how many it is, soon will be or still is. */
  readonly behind: number;
  readonly total: number;
}

export const NODE_BALANCERS_MOST = 1_000;
