import type pg from "pg";
import { type ExportFormat, filePieces } from "../exports/file-pieces.ts";
import { requireRole, type VerbContext } from "../operations/verb.ts";
import type { AuditFilter } from "../sql/audit-entries.ts";
import { readChainPages, readHead, readRange } from "../sql/chains.ts";
import { insertAuditEntry } from "./audit-insert.ts";
import { EXPORT_WRITERS, type ExportHead, plainFilter } from "./export-text.ts";
import { entryOf, requireChain } from "./verify-audit.ts";

export interface ExportInput {
  /** A cluster's id, or `accounts`. */
  readonly chain: string;
  readonly filter: AuditFilter;
  readonly format: ExportFormat;
}

export interface AuditExport {
  readonly head: ExportHead;
  /** The file in pieces, each read from the database on demand. */
  readonly pieces: AsyncGenerator<string>;
}

/**
 * Exports exactly the entries that a filter selects, in the order of the chain, up to its current head. Memory does not grow with their
 * number.
 */
export async function exportEntries(pool: pg.Pool, input: ExportInput): Promise<AuditExport> {
  const { chain, filter, format } = input;
  const chainHead = await readHead(pool, chain);
  const to = chainHead?.seq ?? 0;
  const range = await readRange(pool, { chain, filter, to });
  const head = { chain, filter, exportedAt: Date.now(), range, head: chainHead };
  const pages = readChainPages(pool, { chain, to, filter });
  return { head, pieces: filePieces(EXPORT_WRITERS[format](head), pages) };
}

/**
 * Does the same as `exportEntries` for a user, and audits it before the first piece is read. Throws OperationError NotFound for a cluster
 * that no controller has reported.
 */
export async function exportAudit(context: VerbContext, input: ExportInput): Promise<AuditExport> {
  requireRole(context, "viewer");
  await requireChain(context, input.chain);
  const made = await exportEntries(context.db.pool, input);
  const { count = 0, first = 0, last = 0 } = made.head.range ?? {};
  await insertAuditEntry(context.db.prisma, {
    ...entryOf(context, input.chain),
    action: "audit.export",
    why: `Exported ${count} entries as ${input.format}`,
    result: "applied",
    before: null,
    after: { format: input.format, filter: plainFilter(input.filter), entries: count, first, last },
  });
  return made;
}
