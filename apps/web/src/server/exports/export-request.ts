import type { JsonObject } from "@cloudwright/core/model/values/json";
import { parsedJson } from "@cloudwright/core/model/values/json";
import { exportAudit } from "@cloudwright/store/audit/export-audit";
import { type ExportedFile, exportList } from "@cloudwright/store/exports/export-list";
import { EXPORT_FORMATS, type ExportFormat } from "@cloudwright/store/exports/file-pieces";
import { isOperationError } from "@cloudwright/store/operations/errors";
import type { VerbContext } from "@cloudwright/store/operations/verb";
import { storableText } from "@cloudwright/store/text/storable-text";
import { z } from "zod";
import { isUnreachable } from "../errors.ts";
import { ledger } from "../ledger.ts";
import { log } from "../log.ts";
import { clientOf } from "../requests/client.ts";
import { rateLimiter } from "../requests/rate-limit.ts";
import { auditFilterShape, clusterInput } from "../routers/inputs.ts";
import { type SignedIn, signedInOf, signedOutText } from "../sign-in/viewer.ts";
import { EXPORTED_LISTS } from "./exported-lists.ts";
import { streamOf, whileAllowed } from "./stream.ts";

const ofUser = rateLimiter({ attempts: 20, withinMs: 60_000 });

const TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};

const AUDIT = "audit";

/** `?list=nodes&cluster=…&format=csv&filter={"states":["stuck"]}&sort=-since`; filter and order are those of the page's query. */
const querySchema = clusterInput
  .extend({
    list: z.enum([AUDIT, ...Object.keys(EXPORTED_LISTS)]),
    format: z.enum(EXPORT_FORMATS),
    filter: storableText(8_000)
      .default("{}")
      .transform(parsedJson)
      .pipe(z.record(z.string(), z.json())),
    sort: z
      .string()
      .regex(/^-?[a-zA-Z]{1,40}$/)
      .transform((text) => ({ by: text.replace("-", ""), descending: text.startsWith("-") }))
      .optional(),
  })
  .strict();
export type ExportQuery = z.output<typeof querySchema>;
/** Undefined for one that is not valid. */
export type ReadQuery = (members: Readonly<Record<string, string>>) => ExportQuery | undefined;

/** A file of exactly the rows that a filter selects, in its order, streamed, for whoever is signed in; it leaves an audit entry. */
export function exportRequest(request: Request): Promise<Response> {
  return exportBy(request, (members) => querySchema.safeParse(members).data);
}

/** The same by an address whose members are read in another way. */
export async function exportBy(request: Request, read: ReadQuery): Promise<Response> {
  try {
    const signedIn = await signedInOf(request.headers);
    if (signedIn === undefined) return refuse(401, signedOutText());
    if (request.headers.get("sec-fetch-site") === "cross-site") {
      return refuse(403, "This request does not come from the dashboard's own pages.");
    }
    if (!ofUser.allow(signedIn.viewer.id, Date.now())) {
      return refuse(429, "You have exported too often within a minute: wait a moment.");
    }
    return await answer(request, signedIn, read);
  } catch (error) {
    return failed(error);
  }
}

async function answer(
  request: Request,
  { viewer, proof }: SignedIn,
  read: ReadQuery,
): Promise<Response> {
  const query = read(Object.fromEntries(new URL(request.url).searchParams));
  if (query === undefined) return notValid();
  const context: VerbContext = {
    db: ledger(),
    actor: viewer,
    client: clientOf(request.headers),
    session: proof,
  };
  const file = query.list === AUDIT ? auditFile(context, query) : listFile(context, query);
  const made = await file;
  if (made === undefined) return notValid();
  const allowed = { headers: request.headers, cluster: query.cluster };
  return new Response(streamOf(whileAllowed(made.pieces, allowed)), {
    headers: {
      "Content-Type": TYPES[query.format],
      "Content-Disposition": `attachment; filename="${fileName(made, query)}"`,
      "Cache-Control": "no-store",
    },
  });
}

function listFile(context: VerbContext, query: ExportQuery): Promise<ExportedFile | undefined> {
  const { list, cluster, format, filter, sort } = query;
  const opened = EXPORTED_LISTS[list]?.(context.db, {
    cluster,
    filter: filter as JsonObject,
    sort,
  });
  if (opened === undefined) return Promise.resolve(undefined);
  return exportList(context, { ...opened, list, cluster, format });
}

const auditSchema = z.object(auditFilterShape).strict();

/** The record has an order of its own, that of the chain. */
async function auditFile(
  context: VerbContext,
  { cluster, format, filter, sort }: ExportQuery,
): Promise<ExportedFile | undefined> {
  const parsed = auditSchema.safeParse(filter);
  if (!parsed.success || sort !== undefined) return undefined;
  const made = await exportAudit(context, { chain: cluster, format, filter: parsed.data });
  return { exportedAt: made.head.exportedAt, pieces: made.pieces };
}

function fileName({ exportedAt }: ExportedFile, { list, cluster, format }: ExportQuery): string {
  const time = new Date(exportedAt).toISOString().slice(0, 16).replaceAll(/[-:]/g, "");
  return `${list}-${cluster.replaceAll(/[^\w-]/g, "_")}-${time}Z.${format}`;
}

function failed(error: unknown): Response {
  if (isOperationError(error)) return refuse(error.code === "NotFound" ? 404 : 400, error.message);
  log.error("An export failed", { error: String(error) });
  return isUnreachable(error)
    ? refuse(503, "The dashboard cannot reach its database.")
    : refuse(500, "The dashboard failed to answer; the details are in its log.");
}

function notValid(): Response {
  return refuse(400, "The request is not valid.");
}

function refuse(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { "Cache-Control": "no-store" } });
}
