import type {
  AuditChains,
  CheckpointKeeper,
} from "@cloudwright/core/reconcile/checkpoints/checkpoint-ports";
import type { IntentSource, Recorder } from "@cloudwright/core/reconcile/ports";
import type { Spool } from "@cloudwright/store/spool/spool";

/** Where this process writes down what it decides and learns which actions users request. */
export interface Ledger {
  readonly recorder: Recorder;
  /** Undefined without a database. */
  readonly intents: IntentSource | undefined;
  /** Undefined without a database. */
  readonly audit: LedgerAudit | undefined;
  status(): LedgerStatus;
  /** Drains what is left into the database, for so long, then gives the spool back. */
  stop(deadlineMs: number): Promise<void>;
}

export interface LedgerAudit {
  readonly chains: AuditChains;
  /** Where checkpoints go besides the cluster (`--audit-anchor`). */
  readonly anchor: CheckpointKeeper | undefined;
}

export interface LedgerStatus {
  readonly spoolBytes: number;
  readonly lagMs: number;
  readonly refused: number;
  readonly dropped: number;
  /** What the health check reports of it; the process works on all the same. */
  readonly note: string;
}

/** What the spool reports of itself. */
export function spoolStatus(spool: Spool): Pick<LedgerStatus, "spoolBytes" | "dropped"> {
  const { bytes, droppedRecords } = spool.stats();
  return { spoolBytes: bytes, dropped: droppedRecords };
}
