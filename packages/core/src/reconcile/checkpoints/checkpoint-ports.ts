import type {
  AuditChainName,
  AuditCheckpoint,
  AuditHead,
} from "../../model/audit/audit-checkpoint.ts";

/** A place outside the database where the newest checkpoint is kept. */
export interface CheckpointKeeper {
  /** Undefined when there is none, or none that can be read. */
  read(): Promise<AuditCheckpoint | undefined>;
  /** Throws when it cannot be written. */
  write(checkpoint: AuditCheckpoint): Promise<void>;
  /** Where that is, in words: for users and pages. */
  readonly place: string;
}

/** The audit chains of the ledger. Every method throws while the database is away. */
export interface AuditChains {
  /** Chains that have no entries yet are left out. */
  heads(): Promise<Partial<Readonly<Record<AuditChainName, AuditHead>>>>;
  /** Whether the chain still has the same entry under that number. */
  holds(chain: AuditChainName, head: AuditHead): Promise<boolean>;
  /** Notes what was kept, and where, for the pages. */
  note(checkpoint: AuditCheckpoint, slot: string): Promise<void>;
}
