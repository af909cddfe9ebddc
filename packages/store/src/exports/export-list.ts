import { insertAuditEntry } from "../audit/audit-insert.ts";
import { OperationError } from "../operations/errors.ts";
import { requireReach, requireRole, type VerbContext } from "../operations/verb.ts";
import { unknownCluster } from "../users/cluster-access.ts";
import { type ExportFormat, filePieces } from "./file-pieces.ts";
import { type ExportedField, type ListHead, listWriter } from "./list-file.ts";

export interface ListExport<Row> extends Pick<ListHead, "list" | "filter" | "order"> {
  /** Undefined for a list of all clusters, or of accounts: the reader of its rows has already checked what the user may see. */
  readonly cluster: string | undefined;
  readonly format: ExportFormat;
  readonly fields: readonly ExportedField<Row>[];
  /** The first page is read before there is a file, the others on demand. */
  readonly pages: AsyncIterable<readonly Row[]>;
}

export interface ExportedFile {
  readonly exportedAt: number;
  /** The file in pieces, each read from the database on demand. */
  readonly pieces: AsyncGenerator<string>;
}

/**
 * Exports a list to a file for a user, and audits it before the first piece is handed out. Memory does not grow with the rows. Throws
 * OperationError NotFound for a cluster that no controller has reported, and whatever the first page of the list throws.
 */
export async function exportList<Row>(
  context: VerbContext,
  { cluster, format, fields, pages, ...of }: ListExport<Row>,
): Promise<ExportedFile> {
  requireRole(context, "viewer");
  const found = cluster === undefined ? undefined : await findCluster(context, cluster);
  const begun = await begin(pages);
  const { actor, client, session: proof } = context;
  await insertAuditEntry(context.db.prisma, {
    actor: { kind: "person", id: actor.id, name: actor.name },
    ...{ client, proof, cluster },
    action: "list.export",
    why: `Exported the list of ${of.list} as ${format}`,
    result: "applied",
    before: null,
    after: { format, list: of.list, filter: of.filter, order: of.order },
  });
  const head = { ...of, cluster: found, exportedAt: Date.now() };
  return {
    exportedAt: head.exportedAt,
    pieces: filePieces(listWriter(format, head, fields), begun),
  };
}

async function findCluster(
  context: VerbContext,
  cluster: string,
): Promise<NonNullable<ListHead["cluster"]>> {
  requireReach(context, { cluster, needs: "viewer" });
  const found = await context.db.prisma.cluster.findUnique({
    where: { id: cluster },
    select: { id: true, name: true },
  });
  if (found === null) throw new OperationError("NotFound", unknownCluster);
  return found;
}

/** Reads the first page, so that a missing list is refused instead of starting a file that breaks off. */
async function begin<Row>(
  pages: AsyncIterable<readonly Row[]>,
): Promise<AsyncIterable<readonly Row[]>> {
  const iterator = pages[Symbol.asyncIterator]();
  return goOn(await iterator.next(), iterator);
}

async function* goOn<Row>(
  first: IteratorResult<readonly Row[]>,
  iterator: AsyncIterator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  try {
    for (let page = first; page.done !== true; page = await iterator.next()) yield page.value;
  } finally {
    await iterator.return?.();
  }
}
