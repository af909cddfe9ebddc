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
import { LISTS_OF_ALL, type ListReader } from "./lists-of-all.ts";
import { streamOf, whileAllowed } from "./stream.ts";

const ofUser = rateLimiter({ attempts: 20, withinMs: 60_000 });

const TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};

const AUDIT = "audit";

/**
 * `?list=nodes&cluster=…&format=csv&filter={"states":["stuck"]}&sort=-since`; filter and order are those of the page's query. Lists that do
 * not belong to one cluster take none.
 */
const querySchema = clusterInput
  .partial()
  .extend({
    list: z.enum([AUDIT, ...Object.keys(EXPORTED_LISTS), ...Object.keys(LISTS_OF_ALL)]),
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
/** Returns undefined for an invalid query. */
export type ReadQuery = (members: Readonly<Record<string, string>>) => ExportQuery | undefined;

/**
 * Streams a file of exactly the rows that a filter selects, in the requested order, to a signed-in user; each export leaves an audit entry.
 */
export function exportRequest(request: Request): Promise<Response> {
  return exportBy(request, (members) => querySchema.safeParse(members).data);
}

/** The same for an address whose parameters are read differently. */
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

async function answer(request: Request, signedIn: SignedIn, read: ReadQuery): Promise<Response> {
  const query = read(Object.fromEntries(new URL(request.url).searchParams));
  if (query === undefined) return notValid();
  const made = await fileOf(contextOf(request, signedIn), query);
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

function contextOf({ headers }: Request, { viewer, proof }: SignedIn): ListReader {
  const { sessionId } = viewer;
  return { db: ledger(), actor: viewer, client: clientOf(headers), session: proof, sessionId };
}

/** Returns undefined for an invalid query. */
async function fileOf(context: ListReader, query: ExportQuery): Promise<ExportedFile | undefined> {
  const { list, cluster } = query;
  if (list in LISTS_OF_ALL) return cluster === undefined ? fileOfAll(context, query) : undefined;
  if (cluster === undefined) return undefined;
  const ofCluster = { ...query, cluster };
  return list === AUDIT ? auditFile(context, ofCluster) : listFile(context, ofCluster);
}

type OfCluster = ExportQuery & { readonly cluster: string };

async function listFile(
  context: VerbContext,
  { list, cluster, format, filter, sort }: OfCluster,
): Promise<ExportedFile | undefined> {
  const request = { cluster, filter: filter as JsonObject, sort };
  const opened = EXPORTED_LISTS[list]?.(context.db, request);
  return opened && exportList(context, { ...opened, list, cluster, format });
}

/** These lists have a fixed order, and accept no filter except their own. */
async function fileOfAll(
  context: ListReader,
  { list, format, filter, sort }: ExportQuery,
): Promise<ExportedFile | undefined> {
  if (sort !== undefined) return undefined;
  const opened = LISTS_OF_ALL[list]?.(context, filter as JsonObject);
  return opened && exportList(context, { ...opened, list, cluster: undefined, format });
}

const auditSchema = z.object(auditFilterShape).strict();

/** The audit record keeps the order of its chain. */
async function auditFile(
  context: VerbContext,
  { cluster, format, filter, sort }: OfCluster,
): Promise<ExportedFile | undefined> {
  const parsed = auditSchema.safeParse(filter);
  if (!parsed.success || sort !== undefined) return undefined;
  const made = await exportAudit(context, { chain: cluster, format, filter: parsed.data });
  return { exportedAt: made.head.exportedAt, pieces: made.pieces };
}

function fileName({ exportedAt }: ExportedFile, { list, cluster, format }: ExportQuery): string {
  const time = new Date(exportedAt).toISOString().slice(0, 16).replaceAll(/[-:]/g, "");
  const of = cluster === undefined ? "" : `-${cluster.replaceAll(/[^\w-]/g, "_")}`;
  return `${list}${of}-${time}Z.${format}`;
}

function failed(error: unknown): Response {
  if (isOperationError(error)) return refuse(STATUSES[error.code] ?? 400, error.message);
  log.error("An export failed", { error: String(error) });
  return isUnreachable(error)
    ? refuse(503, "The dashboard cannot reach its database.")
    : refuse(500, "The dashboard failed to answer; the details are in its log.");
}

const STATUSES: Readonly<Record<string, number>> = { NotFound: 404, Forbidden: 403 };

function notValid(): Response {
  return refuse(400, "The request is not valid.");
}

function refuse(status: number, sentence: string): Response {
  return new Response(`${sentence}\n`, { status, headers: { "Cache-Control": "no-store" } });
}
