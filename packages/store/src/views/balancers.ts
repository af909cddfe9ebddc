import type { Intent } from "@cloudwright/core/model/intent";
import {
  type FilterOf,
  type RowOf,
  type SortOf,
  sortsOf,
} from "@cloudwright/core/model/kinds/define-kind";
import { orphanKind, serviceKind } from "@cloudwright/core/model/kinds/load-balancer";
import type {
  BalancerDetail,
  MemberVerdict,
  OrphanDetail,
} from "@cloudwright/core/model/records/balancer-record";
import type { State } from "@cloudwright/core/model/state";
import type { ObjectCounts, Page } from "./views.ts";

/** What the pages of load balancers show (UX.md section 6). Times are milliseconds since the epoch. */

/** A Service with its load balancer. */
export type BalancerRow = RowOf<typeof serviceKind> & {
  readonly namespace: string;
  readonly service: string;
};
export const BALANCER_SORTS = sortsOf(serviceKind);
export type BalancerSort = SortOf<typeof serviceKind>;
export type BalancersFilter = FilterOf<typeof serviceKind>;

export interface BalancersPage extends Page<BalancerRow> {
  readonly counts: BalancerCounts;
}

/** Of the whole cluster, whatever the filter. */
export interface BalancerCounts extends ObjectCounts {
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
export interface OrphanRow extends RowOf<typeof orphanKind> {
  readonly detail: OrphanDetail;
  readonly openIntents: readonly Intent[];
}

export const ORPHAN_SORTS = sortsOf(orphanKind);
export type OrphanSort = SortOf<typeof orphanKind>;
export type OrphansFilter = FilterOf<typeof orphanKind>;

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
