import type { Actor, AuditEntry } from "@cloudwright/core/model/audit/audit";
import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";
import type { State } from "@cloudwright/core/model/state";
import type { ClusterHealth } from "./health.ts";
import type { LoadBalancerCounts } from "./load-balancers.ts";
import type { NodeDetail } from "./node-detail.ts";
import type { RouteCounts } from "./routes.ts";
import type { Unread } from "./unread.ts";
import type { ObjectCounts, RunRow } from "./views.ts";

/** The content of the Overview page (UX.md section 4). Times are milliseconds since the epoch. */
export interface OverviewView extends ClusterCounts, Unread<OverviewPart> {
  /** What needs a user, the longest and widest problems first. */
  readonly problems: readonly Problem[];
  /** Initialisation times of the last 7 days. */
  readonly fleet: NodeDetail["fleet"];
  /** The last 60 minutes, oldest first; the last one is incomplete. */
  readonly minutes: readonly RunMinute[];
  /** The latest changes to the cluster, newest first. */
  readonly changes: readonly ChangeNote[];
}

/** The optional parts of the page: everything else shows whether something is wrong. */
export const OVERVIEW_PARTS = ["fleet", "minutes", "changes"] as const;
export type OverviewPart = (typeof OVERVIEW_PARTS)[number];

/** The counts of a cluster's objects by state. */
export interface ClusterCounts {
  readonly nodes: Readonly<Record<State, number>>;
  readonly balancers: LoadBalancerCounts;
  readonly routes: RouteCounts;
  readonly volumes: ObjectCounts;
  readonly health: ClusterHealth;
}

/** Objects of one kind that cannot do their job for the same cause. */
export interface Problem {
  /** Identifies the problem among the others, and stays the same as long as the cause does. */
  readonly id: string;
  /** `held`: the deletion guard waits for an admin. */
  readonly kind: "stuck" | "held";
  /** The kind of the objects: a `LoadBalancer` is one without a Service, a `Route` one that no Node asks for. */
  readonly of: string;
  /** The code of their reason, or its name. */
  readonly code: string;
  readonly count: number;
  /** Since when the oldest of them has it. */
  readonly since: number;
  /** The oldest ones, at most `PROBLEM_MEMBERS_MOST`. */
  readonly members: readonly ProblemMember[];
}

export const PROBLEM_MEMBERS_MOST = 20;

export type ProblemMember = Pick<
  ObjectSummary,
  "name" | "uid" | "controller" | "reason" | "since" | "nextAt"
>;

/** How many runs of a minute ended in each way; unchanged ones are not counted. */
export interface RunMinute {
  readonly at: number;
  readonly changed: number;
  readonly waiting: number;
  /** Failed, timed out, blocked or interrupted. */
  readonly failed: number;
}

export interface ChangeNote {
  readonly id: string;
  readonly at: number;
  readonly actor: Actor;
  readonly action: AuditEntry["action"];
  readonly object: RunRow["object"] | undefined;
  readonly why: string;
  readonly runId: string | undefined;
  /** For an initialisation: how long it took since the node's registration. */
  readonly initMs: number | undefined;
}
