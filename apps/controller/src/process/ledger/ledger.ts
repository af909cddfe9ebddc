import type {
  AuditChains,
  CheckpointKeeper,
} from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import type { IntentSource, Recorder } from "@cloudwright/core/reconcile/ports";
import type { Spool } from "@cloudwright/store/spool/spool";

/** Where this process records its decisions and reads the actions that users request. */
export interface Ledger {
  readonly recorder: Recorder;
  /** Undefined without a database. */
  readonly intents: IntentSource | undefined;
  /** Undefined without a database. */
  readonly audit: LedgerAudit | undefined;
  status(): LedgerStatus;
  /** Drains the rest into the database, until the deadline, then releases the spool. */
  stop(deadlineMs: number): Promise<void>;
}

export interface LedgerAudit {
  readonly chains: AuditChains;
  /** A second destination of checkpoints besides the cluster (`--audit-anchor`). */
  readonly anchor: CheckpointKeeper | undefined;
}

export interface LedgerStatus {
  readonly spoolBytes: number;
  readonly lagMs: number;
  readonly refused: number;
  readonly dropped: number;
  /** The note of the health check; the process keeps working in any case. */
  readonly note: string;
}

/** Returns the spool's part of the status. */
export function spoolStatus(spool: Spool): Pick<LedgerStatus, "spoolBytes" | "dropped"> {
  const { bytes, droppedRecords } = spool.stats();
  return { spoolBytes: bytes, dropped: droppedRecords };
}
