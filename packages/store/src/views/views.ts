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

/** What the queries answer and the pages show. Times are milliseconds since the epoch, ids are UUIDs. */

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
  /** Of the first page, which is there the sooner the fewer rows it has; as many as of any other unless given. */
  readonly first?: number | undefined;
}

export interface ObjectsPage<Kind extends ObjectKind> extends Page<RowOf<Kind>> {
  readonly counts: ObjectCounts;
  /** Values that filters offer to choose from, by filter. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
}

/** Of the whole cluster, whatever the filter. */
export interface ObjectCounts {
  readonly states: Readonly<Record<State, number>>;
  /** Of those that are not gone. */
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
  /** How many equal unchanged runs of the object this row stands for in a folded list; 1 for a run of its own. */
  readonly folded: number;
  /** Of such a row only: when the first of them started; this row is the last one. */
  readonly foldedFrom?: number | undefined;
  /** Of such a row only: how long the longest of them took. */
  readonly foldedMaxMs?: number | undefined;
}

export interface RunsFilter {
  readonly controller?: ControllerName | undefined;
  readonly outcomes?: readonly (Outcome | "running")[] | undefined;
  /** Object name, or `namespace/name`; `*` stands for anything. */
  readonly key?: string | undefined;
  /** `Node`, `Service`, `LoadBalancer` and so on. */
  readonly kind?: string | undefined;
  /** The code of a reason, or its name. */
  readonly reason?: string | undefined;
  readonly triggers?: readonly Trigger["kind"][] | undefined;
  readonly minCalls?: number | undefined;
  /** Of a call that they made: `GET /v1/instances`. No index answers it, so name a stretch of time as well. */
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
  /** Undefined while it runs or when it was interrupted. */
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

/** The database login that added an entry, and what its actor was taken from (docs/audit.md). */
export interface AuditEvidence {
  readonly login: string;
  readonly proof: (typeof AUDIT_PROOFS)[number];
}

export interface AuditRow {
  /** Its number in the cluster's audit chain; they count from 1. */
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly object: RunRow["object"] | undefined;
  readonly why: string;
  /** The reason of the change that it is about, which `why` says in English; undefined where the run is no longer there. */
  readonly reason?: Reason | undefined;
  readonly result: string;
  readonly before: Json;
  readonly after: Json;
  readonly runId: string | undefined;
  readonly intentId: string | undefined;
  /** What that action is; undefined of an entry that is part of none. */
  readonly intent: EntryAction | undefined;
  /** From where a user did it. */
  readonly client: Client | undefined;
  /** How it is known who did it; undefined of an entry from before that was kept. */
  readonly evidence: AuditEvidence | undefined;
  /** SHA-256 as hex, over this entry and by way of it over all before. */
  readonly hash: string;
}

export interface UserView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Which clusters they see and act on. */
  readonly clusters: ClusterAccess;
  /** Cannot sign in, and has no session. */
  readonly disabled: boolean;
  readonly disabledWhy: string | undefined;
  readonly createdAt: number;
  /** To the quarter of an hour, of sessions that have not been ended. */
  readonly lastSeenAt: number | undefined;
  /** How many are live. */
  readonly sessions: number;
  readonly hasPassword: boolean;
  /** Whose codes are asked for after the password. */
  readonly authenticator: AuthenticatorView | undefined;
  /** Signs in at the identity provider, whose groups decide on the role. */
  readonly isExternal: boolean;
  /** Whether those groups decide on the clusters, too. */
  readonly clustersByGroups: boolean;
  /** Wrong passwords and codes of the last day; undefined without any. */
  readonly failedSignIns: FailedSignIns | undefined;
}

export interface AuthenticatorView {
  readonly since: number;
  /** How many recovery codes are left. */
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
  /** The session that asks. */
  readonly isThis: boolean;
}
