import type { ListedIntent } from "@cloudwright/core/model/actions/intent";
import type { Actor } from "@cloudwright/core/model/audit/audit";
import type { EntryAction } from "@cloudwright/core/model/audit/audit-verb";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import {
  type FilterOf,
  type ObjectKind,
  type RowOf,
  type SortOf,
  sortsOf,
} from "@cloudwright/core/model/kinds/define-kind";
import { nodeKind } from "@cloudwright/core/model/kinds/node";
import type { Reason } from "@cloudwright/core/model/reason";
import type { Role } from "@cloudwright/core/model/roles";
import type { Outcome, RunEnd, Trigger } from "@cloudwright/core/model/run";
import type { State } from "@cloudwright/core/model/state";
import type { Json } from "@cloudwright/core/model/values/json";
import type { Client } from "../operations/client.ts";
import type { ClusterAccess } from "../users/cluster-access.ts";

/** The results of the queries, which the pages show. Times are milliseconds since the epoch, ids are UUIDs. */

export type Total =
  | { readonly kind: "exact"; readonly count: number }
  | { readonly kind: "atLeast"; readonly count: number };

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Opaque; bound to the cluster, filter and sort that made it. */
  readonly nextCursor: string | undefined;
  readonly total: Total;
}

export type NodeRow = RowOf<typeof nodeKind>;
export const NODE_SORTS = sortsOf(nodeKind);
export type NodeSort = SortOf<typeof nodeKind>;
export type NodesFilter = FilterOf<typeof nodeKind>;

export interface ListInput<Filter, Sort> {
  readonly cluster: string;
  readonly filter: Filter;
  readonly sort: { readonly by: Sort; readonly descending: boolean };
  readonly cursor?: string | undefined;
  /** 1 to 200. */
  readonly limit: number;
  /** Limit of the first page, which loads faster with fewer rows; by default the same as for the others. */
  readonly first?: number | undefined;
}

export interface ObjectsPage<Kind extends ObjectKind> extends Page<RowOf<Kind>> {
  readonly counts: ObjectCounts;
  /** The values to choose from, by filter. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
}

/** For the whole cluster, whatever the filter. */
export interface ObjectCounts {
  readonly states: Readonly<Record<State, number>>;
  /** How many objects that are not gone have drifted. */
  readonly drifted: number;
}

export type NodesPage = ObjectsPage<typeof nodeKind>;

export interface RunRow {
  readonly id: string;
  readonly controller: ControllerName;
  readonly object: {
    readonly kind: string;
    readonly namespace: string | undefined;
    readonly name: string;
    readonly uid: string | undefined;
  };
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly outcome: Outcome | "running";
  readonly reason: Reason | undefined;
  readonly startedAt: number;
  readonly queuedMs: number;
  readonly durationMs: number | undefined;
  readonly cloudCalls: number;
  readonly kubeCalls: number;
  readonly changes: number;
  readonly dryRun: boolean;
  /** How many equal unchanged runs of the object this row stands for; 1 for a single run. */
  readonly folded: number;
  /** For such a row only: when the first of them started; the row itself is the last one. */
  readonly foldedFrom?: number | undefined;
  /** For such a row only: the duration of the longest of them. */
  readonly foldedMaxMs?: number | undefined;
}

export interface RunsFilter {
  readonly controller?: ControllerName | undefined;
  readonly outcomes?: readonly (Outcome | "running")[] | undefined;
  /** Object name, or `namespace/name`; `*` matches anything. */
  readonly key?: string | undefined;
  /** `Node`, `Service`, `LoadBalancer` and so on. */
  readonly kind?: string | undefined;
  /** The code of a reason, or its name. */
  readonly reason?: string | undefined;
  readonly triggers?: readonly Trigger["kind"][] | undefined;
  readonly minCalls?: number | undefined;
  /** The operation of one of their calls: `GET /v1/instances`. No index covers it, so add a time span. */
  readonly operation?: string | undefined;
  /** The start of the id of a cloud call that they made, or that their reason names; at least 8 characters. */
  readonly requestId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Each member here excludes instead of selecting. */
  readonly not?: Omit<RunsFilter, "not" | "from" | "to"> | undefined;
}

export interface RunDetail {
  readonly row: RunRow;
  /** Undefined while it runs or if it was interrupted. */
  readonly end: RunEnd | undefined;
  readonly changes: RunEnd["changes"];
  readonly notTaken: RunEnd["notTaken"];
  readonly instance: string;
  readonly previousId: string | undefined;
  readonly nextId: string | undefined;
  readonly intent: ListedIntent | undefined;
}

export const AUDIT_PROOFS = [
  "session",
  "sign-in-link",
  "controller-login",
  "none",
  "owner",
] as const;

/** The database login that added an entry, and what proved its actor (docs/audit.md). */
export interface AuditEvidence {
  readonly login: string;
  readonly proof: (typeof AUDIT_PROOFS)[number];
}

export interface AuditRow {
  /** The entry's number in the cluster's audit chain, counted from 1. */
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly object: RunRow["object"] | undefined;
  readonly why: string;
  /** The reason of its change, which `why` says in English; undefined if the run no longer exists. */
  readonly reason?: Reason | undefined;
  readonly result: string;
  readonly before: Json;
  readonly after: Json;
  readonly runId: string | undefined;
  readonly intentId: string | undefined;
  /** The entry's action; undefined if it has none. */
  readonly intent: EntryAction | undefined;
  /** Where a user's request came from. */
  readonly client: Client | undefined;
  /** How the actor was proven; undefined for an entry from before this was recorded. */
  readonly evidence: AuditEvidence | undefined;
  /** SHA-256 as hex, over this entry and, through the previous hash, all entries before it. */
  readonly hash: string;
}

export interface UserView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The clusters that they may see and act on. */
  readonly clusters: ClusterAccess;
  /** Whether they are barred from signing in; then they have no session. */
  readonly disabled: boolean;
  readonly disabledWhy: string | undefined;
  readonly createdAt: number;
  /** To the quarter of an hour, from sessions that have not been ended. */
  readonly lastSeenAt: number | undefined;
  /** Number of live sessions. */
  readonly sessions: number;
  readonly hasPassword: boolean;
  /** The app whose codes are required after the password. */
  readonly authenticator: AuthenticatorView | undefined;
  /** Whether they sign in at the identity provider, whose groups determine the role. */
  readonly isExternal: boolean;
  /** Whether those groups also determine the clusters. */
  readonly clustersByGroups: boolean;
  /** Wrong passwords and codes of the last day; undefined without any. */
  readonly failedSignIns: FailedSignIns | undefined;
}

export interface AuthenticatorView {
  readonly since: number;
  /** How many unused recovery codes are left. */
  readonly recoveryCodes: number;
}

export interface FailedSignIns {
  readonly count: number;
  readonly lastAt: number;
  readonly lastAddress: string | undefined;
}

export interface SessionView {
  readonly id: string;
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly createdAt: number;
  /** To the quarter of an hour. */
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly address: string | undefined;
  readonly agent: string | undefined;
  /** Whether it is the session of the request. */
  readonly isThis: boolean;
}
