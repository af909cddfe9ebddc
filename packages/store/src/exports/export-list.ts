import { insertAuditEntry } from "../audit/audit-insert.ts";
import { OperationError } from "../operations/errors.ts";
import { requireReach, requireRole, type VerbContext } from "../operations/verb.ts";
import { unknownCluster } from "../users/cluster-access.ts";
import { type ExportFormat, filePieces } from "./file-pieces.ts";
import { type ExportedField, type ListHead, listWriter } from "./list-file.ts";

export interface ListExport<Row> extends Pick<ListHead, "list" | "filter" | "order"> {
  readonly cluster: string;
  readonly format: ExportFormat;
  readonly fields: readonly ExportedField<Row>[];
  /** Begins to read when the first piece is asked for. */
  readonly pages: AsyncIterable<readonly Row[]>;
}

export interface ExportedFile {
  readonly exportedAt: number;
  /** The file, in pieces that are read from the database as they are asked for. */
  readonly pieces: AsyncGenerator<string>;
}

/**
 * A file of a list, for a user, and written down before the first piece is read. Memory does not grow with the rows. Throws
 * OperationError NotFound for a cluster that no controller has reported.
 */
export async function exportList<Row>(
  context: VerbContext,
  { cluster, format, fields, pages, ...of }: ListExport<Row>,
): Promise<ExportedFile> {
  requireRole(context, "viewer");
  requireReach(context, { cluster, needs: "viewer" });
  const { prisma } = context.db;
  const found = await prisma.cluster.findUnique({
    where: { id: cluster },
    select: { id: true, name: true },
  });
  if (found === null) throw new OperationError("NotFound", unknownCluster);
  const { actor, client, session: proof } = context;
  await insertAuditEntry(prisma, {
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
    pieces: filePieces(listWriter(format, head, fields), pages),
  };
}
