import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { ClusterCounts } from "./overview.ts";
import type { WaitingCounts } from "./takeover.ts";

export interface ClusterView extends ClusterCounts {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly lastHeardAt: number;
  readonly leader: ControllerInstanceView | undefined;
  readonly instances: readonly ControllerInstanceView[];
  /** Runs of the last hour. */
  readonly runs: { readonly all: number; readonly changed: number; readonly failed: number };
  readonly openIntents: number;
  /** Load balancers and routes of an earlier manager that wait for consent to be adopted. */
  readonly waiting: WaitingCounts;
  /** The losses of full spools in the last 7 days, newest first, at most 10. */
  readonly gaps: readonly GapRow[];
}

/** A time span in which records, or only the calls of runs, are missing. */
export interface GapRow {
  readonly id: string;
  readonly instance: string;
  readonly from: number;
  readonly to: number;
  readonly records: number;
  readonly calls: number;
}

/** A process, as of its last heartbeat. */
export interface ControllerInstanceView
  extends Pick<
    Heartbeat,
    | ("version" | "leader" | "watchSilentMs" | "spoolBytes" | "dryRun" | "controllers")
    | ("controls" | "startedAt" | "ledgerLagMs" | "lease" | "idle" | "missingPermissions")
  > {
  readonly identity: string;
  readonly leaseTransitions: number | undefined;
  readonly heardAt: number;
  readonly cloud: Heartbeat["cloud"];
}
