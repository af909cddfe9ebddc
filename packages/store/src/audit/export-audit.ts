import type pg from "pg";
import { requireRole, type VerbContext } from "../operations/verb.ts";
import { type AuditFilter, addAuditFilter, plainFilter } from "../queries/audit/audit-filter.ts";
import { type SqlConditions, sqlConditions } from "../sql/keyset.ts";
import { insertAuditEntry } from "./audit-insert.ts";
import { readHead } from "./chain-heads.ts";
import type { ChainedEntry } from "./entry-text.ts";
import {
  EXPORT_WRITERS,
  type ExportFormat,
  type ExportHead,
  type ExportWriter,
} from "./export-text.ts";
import { readChainPages } from "./read-chain.ts";
import { entryOf, requireChain } from "./verify-audit.ts";

export interface ExportInput {
  /** A cluster's id, or `accounts`. */
  readonly chain: string;
  readonly filter: AuditFilter;
  readonly format: ExportFormat;
}

export interface AuditExport {
  readonly head: ExportHead;
  /** The file, in pieces that are read from the database as they are asked for. */
  readonly pieces: AsyncGenerator<string>;
}

/**
 * Exactly the entries that a filter selects, in the order of the chain, up to its head of now. Memory does not grow with
 * them.
 */
export async function exportEntries(pool: pg.Pool, input: ExportInput): Promise<AuditExport> {
  const { chain, filter, format } = input;
  const chainHead = await readHead(pool, chain);
  const to = chainHead?.seq ?? 0;
  const range = await readRange(pool, { chain, filter, to });
  const head = { chain, filter, exportedAt: Date.now(), range, head: chainHead };
  const narrow = (where: SqlConditions) => addAuditFilter(where, filter);
  const pages = readChainPages(pool, { chain, to, narrow });
  return { head, pieces: write(EXPORT_WRITERS[format], head, pages) };
}

/**
 * As `exportEntries`, for a user, and written down before the first piece is read. Throws OperationError NotFound for a
 * cluster that no controller has reported.
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

interface Selection {
  readonly chain: string;
  readonly filter: AuditFilter;
  readonly to: number;
}

async function readRange(
  pool: pg.Pool,
  { chain, filter, to }: Selection,
): Promise<ExportHead["range"]> {
  const where = sqlConditions();
  where.texts.push(`chain = ${where.bind(chain)}`, `seq <= ${where.bind(to)}::bigint`);
  addAuditFilter(where, filter);
  const { rows } = await pool.query<{ first: string | null; last: string; count: string }>(
    `SELECT min(seq) AS first, max(seq) AS last, count(*) AS count FROM audit_entries WHERE ${where.texts.join(" AND ")}`,
    where.values,
  );
  const row = rows[0];
  if (row === undefined || row.first === null) return undefined;
  return { first: Number(row.first), last: Number(row.last), count: Number(row.count) };
}

async function* write(
  writer: ExportWriter,
  head: ExportHead,
  pages: AsyncGenerator<readonly ChainedEntry[]>,
): AsyncGenerator<string> {
  yield writer.head(head);
  let before = "";
  for await (const page of pages) {
    yield before + page.map(writer.entry).join(writer.between);
    before = writer.between;
  }
  yield writer.tail;
}
