import { z } from "zod/mini";

const auditHeadSchema = z.readonly(
  z.object({
    /** The number of the chain's newest entry; they count from 1. */
    seq: z.int().check(z.nonnegative()),
    /** SHA-256 as hex, over that entry and, through its predecessor's hash, over all before it. */
    hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    /** When that entry was added, in milliseconds since the epoch. */
    at: z.number(),
  }),
);
/**
 * The end of an audit chain at some moment. With a stored head it can be checked later whether earlier entries were
 * changed.
 */
export type AuditHead = z.infer<typeof auditHeadSchema>;

export const auditCheckpointSchema = z.readonly(
  z.object({
    /** When the checkpoint was written. */
    at: z.number(),
    /** The head of the cluster's own chain. */
    cluster: z.optional(auditHeadSchema),
    /** The head of the chain about accounts, which all clusters of a database share. */
    accounts: z.optional(auditHeadSchema),
  }),
);
/** The heads of the audit chains, kept outside the database (DESIGN.md "Audit entry"). */
export type AuditCheckpoint = z.infer<typeof auditCheckpointSchema>;

export const AUDIT_CHAINS = ["cluster", "accounts"] as const;
/** The chains in a cluster's checkpoint. */
export type AuditChainName = (typeof AUDIT_CHAINS)[number];

/** Parses a stored checkpoint; undefined for any other text. */
export function parseAuditCheckpoint(text: string): AuditCheckpoint | undefined {
  try {
    return auditCheckpointSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
