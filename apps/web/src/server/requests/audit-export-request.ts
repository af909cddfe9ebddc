import { type AuditExport, exportAudit } from "@cloudwright/store/audit/export-audit";
import { EXPORT_FORMATS, type ExportFormat } from "@cloudwright/store/audit/export-text";
import { isOperationError } from "@cloudwright/store/operations/errors";
import { z } from "zod";
import { isUnreachable } from "../errors.ts";
import { ledger } from "../ledger.ts";
import { log } from "../log.ts";
import { auditFilterShape, clusterInput, momentText, someText } from "../routers/inputs.ts";
import { type SignedIn, signedInOf } from "../sign-in/viewer.ts";
import { clientOf } from "./client.ts";
import { rateLimiter } from "./rate-limit.ts";

const ofUser = rateLimiter({ attempts: 20, withinMs: 60_000 });

const TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/** The query's members are those of the filter; an object is `objectKind` and `objectName`, times are milliseconds. */
const querySchema = clusterInput
  .extend({ format: z.enum(EXPORT_FORMATS) })
  .extend(auditFilterShape)
  .omit({ object: true })
  .extend({
    objectKind: someText,
    objectName: someText,
    from: momentText,
    to: momentText,
    withoutPreviews: z.stringbool().optional(),
  })
  .strict();

/** A file of exactly the entries that a filter selects, streamed, for whoever is signed in; it leaves an entry itself. */
export async function auditExportRequest(request: Request): Promise<Response> {
  try {
    const signedIn = await signedInOf(request.headers);
    if (signedIn === undefined) return refuse(401, "You are not signed in.");
    if (request.headers.get("sec-fetch-site") === "cross-site") {
      return refuse(403, "This request does not come from the dashboard's own pages.");
    }
    if (!ofUser.allow(signedIn.viewer.id, Date.now())) {
      return refuse(429, "You have exported too often within a minute: wait a moment.");
    }
    return await answer(request, signedIn);
  } catch (error) {
    return failed(error);
  }
}

async function answer(request: Request, { viewer, proof }: SignedIn): Promise<Response> {
  const parsed = querySchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!parsed.success) return refuse(400, "The request is not valid.");
  const { cluster, format, objectKind, objectName, ...filter } = parsed.data;
  const object =
    objectKind === undefined && objectName === undefined
      ? undefined
      : { kind: objectKind, name: objectName ?? "*" };
  const context = {
    db: ledger(),
    actor: viewer,
    client: clientOf(request.headers),
    session: proof,
  };
  const made = await exportAudit(context, {
    chain: cluster,
    format,
    filter: { ...filter, ...(object === undefined ? {} : { object }) },
  });
  return new Response(streamOf(made.pieces), {
    headers: {
      "Content-Type": TYPES[format],
      "Content-Disposition": `attachment; filename="${fileName(made, format)}"`,
      "Cache-Control": "no-store",
    },
  });
}

function fileName({ head }: AuditExport, format: ExportFormat): string {
  const time = new Date(head.exportedAt).toISOString().slice(0, 16).replaceAll(/[-:]/g, "");
  return `audit-${head.chain.replaceAll(/[^\w-]/g, "_")}-${time}Z.${format}`;
}

/** Asks for a piece only when the browser has taken the one before. A failure breaks the file off, so that it shows. */
function streamOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

function failed(error: unknown): Response {
  if (isOperationError(error)) return refuse(error.code === "NotFound" ? 404 : 400, error.message);
  log.error("An audit export failed", { error: String(error) });
  return isUnreachable(error)
    ? refuse(503, "The dashboard cannot reach its database.")
    : refuse(500, "The dashboard failed to answer; the details are in its log.");
}

function refuse(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { "Cache-Control": "no-store" } });
}
