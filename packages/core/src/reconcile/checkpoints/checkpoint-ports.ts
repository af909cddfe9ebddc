import type {
  AuditChainName,
  AuditCheckpoint,
  AuditHead,
} from "../../model/audit/audit-checkpoint.ts";

/** A place outside the database where the newest checkpoint is kept. */
export interface CheckpointKeeper {
  /** Undefined when there is none, or none that can be read. */
  read(): Promise<AuditCheckpoint | undefined>;
  /** Throws when it cannot be kept. */
  write(checkpoint: AuditCheckpoint): Promise<void>;
  /** Where that is, in words: for users and pages. */
  readonly place: string;
}

/** The audit chains of the ledger. Every method throws while the database is away. */
export interface AuditChains {
  /** Without a chain that has no entries yet. */
  heads(): Promise<Partial<Readonly<Record<AuditChainName, AuditHead>>>>;
  /** Whether the chain still has that very entry under that number. */
  holds(chain: AuditChainName, head: AuditHead): Promise<boolean>;
  /** Notes for the pages what was written down, and where. */
  note(checkpoint: AuditCheckpoint, slot: string): Promise<void>;
}
