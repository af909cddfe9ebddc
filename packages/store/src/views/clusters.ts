import type { ActionsByKind, ControllerName } from "@cloudwright/core/model/controller-names";
import type { ControlsStatus } from "@cloudwright/core/model/controls";
import type { IdleController } from "@cloudwright/core/model/records/record";
import type { State } from "@cloudwright/core/model/state";
import type { ClusterHealth } from "./health.ts";
import type { LoadBalancerCounts } from "./load-balancers.ts";
import type { RouteCounts } from "./routes.ts";
import type { WaitingCounts } from "./takeover.ts";
import type { ObjectCounts } from "./views.ts";

export interface ClusterView {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly lastHeardAt: number;
  readonly leader: ControllerInstanceView | undefined;
  readonly instances: readonly ControllerInstanceView[];
  readonly nodes: Readonly<Record<State, number>>;
  readonly balancers: LoadBalancerCounts;
  readonly routes: RouteCounts;
  readonly volumes: ObjectCounts;
  readonly health: ClusterHealth;
  /** Runs of the last hour. */
  readonly runs: { readonly all: number; readonly changed: number; readonly failed: number };
  readonly openIntents: number;
  /** Load balancers and routes of an earlier manager that wait for consent to be adopted. */
  readonly waiting: WaitingCounts;
  /** What full spools lost of the last 7 days, newest first, at most 10. */
  readonly gaps: readonly GapRow[];
}

/** A stretch of time of which records, or only calls of runs, are missing. */
export interface GapRow {
  readonly id: string;
  readonly instance: string;
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly calls: number;
}

export interface ControllerInstanceView {
  readonly identity: string;
  readonly version: string;
  readonly leader: boolean;
  readonly leaseTransitions: number | undefined;
  readonly heardAt: number;
  readonly watchSilentMs: number;
  readonly spoolBytes: number;
  readonly dryRun: boolean;
  readonly controllers: readonly {
    readonly name: ControllerName;
    /** The Lease that it runs under; undefined where all run under one. */
    readonly lease?: string | undefined;
    /** What it carries out by the kind of object; undefined where the model's record says that. */
    readonly actions?: ActionsByKind | undefined;
    readonly queueDepth: number;
    readonly oldestMs: number;
    readonly lastError: string | undefined;
    /** While a user has paused it. */
    readonly paused?:
      | { readonly by: string; readonly why: string; readonly until: number }
      | undefined;
  }[];
  /** Of the leader: pauses, and how the deletion guard stands. */
  readonly controls?: ControlsStatus | undefined;
  /** When it was started. */
  readonly startedAt?: number | undefined;
  /** Age of the oldest record that the database had not got. */
  readonly ledgerLagMs?: number | undefined;
  /** The Lease that it holds or competes for, `namespace/name`. */
  readonly lease?: string | undefined;
  /** Controllers that do not run in it, and why; undefined when it did not say. */
  readonly idle?: readonly IdleController[] | undefined;
  /** Permissions that the cluster does not grant; undefined when it did not look. */
  readonly missingPermissions?: readonly string[] | undefined;
  readonly cloud:
    | {
        readonly callsLastMinute: number;
        readonly throttledLastMinute: number;
        readonly allowedPerSecond: number | undefined;
        readonly resumesAt: number | undefined;
        /** Since when no call was served, although some were made. */
        readonly failingSince?: number | undefined;
        /** Since when it has refused every call, once that is longer than a cloud is believed. */
        readonly closedSince?: number | undefined;
      }
    | undefined;
}
