import { z } from "zod/mini";

const auditHeadSchema = z.readonly(
  z.object({
    /** The number of the chain's newest entry; they count from 1. */
    seq: z.int().check(z.nonnegative()),
    /** SHA-256 as hex, over that entry and by way of it over all before. */
    hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    /** When that entry was added, milliseconds since the epoch. */
    at: z.number(),
  }),
);
/** The end of an audit chain at some moment. Whoever keeps one can find out later whether what came before was changed. */
export type AuditHead = z.infer<typeof auditHeadSchema>;

export const auditCheckpointSchema = z.readonly(
  z.object({
    /** When it was written down. */
    at: z.number(),
    /** Of the cluster's own chain. */
    cluster: z.optional(auditHeadSchema),
    /** Of the chain of what concerns accounts, which all clusters of a database share. */
    accounts: z.optional(auditHeadSchema),
  }),
);
/** The heads of the audit chains, kept outside the database (DESIGN.md "Audit entry"). */
export type AuditCheckpoint = z.infer<typeof auditCheckpointSchema>;

export const AUDIT_CHAINS = ["cluster", "accounts"] as const;
/** The chains that a cluster's checkpoint names. */
export type AuditChainName = (typeof AUDIT_CHAINS)[number];

/** Reads what was kept as text; undefined for what is no checkpoint. */
export function parseAuditCheckpoint(text: string): AuditCheckpoint | undefined {
  try {
    return auditCheckpointSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
