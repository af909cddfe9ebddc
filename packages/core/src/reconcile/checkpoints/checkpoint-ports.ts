import type {
  AuditChainName,
  AuditCheckpoint,
  AuditHead,
} from "../../model/audit/audit-checkpoint.ts";

/** A place outside the database where the newest checkpoint is kept. */
export interface CheckpointKeeper {
  /** Returns undefined when there is none that can be read. */
  read(): Promise<AuditCheckpoint | undefined>;
  /** Throws when it cannot be written. */
  write(checkpoint: AuditCheckpoint): Promise<void>;
  /** A description of the place, for users and pages. */
  readonly place: string;
}

/** The audit chains of the ledger. Every method throws while the database is away. */
export interface AuditChains {
  /** Returns the newest entry of each chain; chains without entries are left out. */
  heads(): Promise<Partial<Readonly<Record<AuditChainName, AuditHead>>>>;
  /** Reports whether the chain still has the same entry under that number. */
  holds(chain: AuditChainName, head: AuditHead): Promise<boolean>;
  /** Notes the checkpoint and where it is kept, for the pages. */
  note(checkpoint: AuditCheckpoint, slot: string): Promise<void>;
}
