import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import {
  type FilterOf,
  type RowOf,
  type SortOf,
  sortsOf,
} from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import type {
  LoadBalancerDetail,
  MemberVerdict,
  OrphanDetail,
} from "@cloudwright/core/model/records/load-balancer-record";
import type { State } from "@cloudwright/core/model/state";
import type { ObjectPart } from "./object-view.ts";
import type { Unread } from "./unread.ts";
import type { ObjectCounts, Page } from "./views.ts";

/** The content of the pages of load balancers (UX.md section 6). Times are milliseconds since the epoch. */

/** A Service with its load balancer. */
export type LoadBalancerRow = RowOf<typeof serviceKind> & {
  readonly namespace: string;
  readonly service: string;
};
export const LOAD_BALANCER_SORTS = sortsOf(serviceKind);
export type LoadBalancerSort = SortOf<typeof serviceKind>;
export type LoadBalancersFilter = FilterOf<typeof serviceKind>;

export interface LoadBalancersPage extends Page<LoadBalancerRow> {
  readonly counts: LoadBalancerCounts;
}

/** For the whole cluster, whatever the filter. */
export interface LoadBalancerCounts extends ObjectCounts {
  /** Our load balancers in the cloud without a Service. */
  readonly orphans: number;
  readonly orphansStuck: number;
}

export interface LoadBalancerView extends Unread<ObjectPart> {
  readonly row: LoadBalancerRow;
  /** When the Service was created. */
  readonly createdAt: number | undefined;
  readonly goneAt: number | undefined;
  /** Undefined when nothing but the state is known, or a newer release wrote it. */
  readonly detail: LoadBalancerDetail | undefined;
  readonly openIntents: readonly ListedIntent[];
}

/** A load balancer of this cluster that has no Service. */
export interface OrphanRow extends RowOf<typeof orphanKind> {
  readonly detail: OrphanDetail;
  readonly openIntents: readonly ListedIntent[];
}

export const ORPHAN_SORTS = sortsOf(orphanKind);
export type OrphanSort = SortOf<typeof orphanKind>;
export type OrphansFilter = FilterOf<typeof orphanKind>;

export interface OrphansPage extends Page<OrphanRow>, Unread<ObjectPart> {
  readonly counts: LoadBalancerCounts;
}

/** The state of a node in the load balancer of one Service. */
export interface NodeLoadBalancer {
  readonly service: string;
  readonly state: State;
  readonly addresses: readonly string[];
  readonly verdict: MemberVerdict;
}

export interface NodeLoadBalancers {
  /** Those in which the node is a member first, each part ordered by name; at most `NODE_BALANCERS_MOST`. */
  readonly balancers: readonly NodeLoadBalancer[];
  /** In how many the node is a member, is being added or is being removed. */
  readonly behind: number;
  readonly total: number;
}

export const NODE_LOAD_BALANCERS_MOST = 1_000;
