import { t } from "@cloudwright/core/model/language/text";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { isWithinBounds } from "../edge/json-bounds.ts";
import { LIMITS } from "../edge/limits.ts";
import { apiRefusal, type Refusal } from "../edge/refusal.ts";
import { environment } from "../environment.ts";
import { isUnreachable, noLedger } from "../errors.ts";
import { inEnglish } from "../language/serve-languages.ts";
import { log } from "../log.ts";
import { appRouter } from "../root.ts";
import { signedOutText } from "../sign-in/viewer.ts";
import { type Context, createContext } from "../trpc.ts";
import { type RefusedRequest, recordRefusedRequest } from "./refused-requests.ts";
import { isSameOrigin } from "./same-origin.ts";

const ENDPOINT = "/api/trpc";

/**
 * Answers a request of the pages' API: one call, or a batch. What concerns the whole request is decided once, before any input is parsed:
 * the number of calls, who asks, from which pages, and the depth of the inputs.
 */
export async function apiRequest(request: Request): Promise<Response> {
  const context = createContext(request.headers);
  const paths = pathsOf(request);
  const refusal = (await refusalOf(request, paths, context)) ?? undefined;
  if (refusal !== undefined) return refuse(refusal, context);
  const read = await readBody(request);
  if (read === undefined) return refuse(tooDeep(), context);
  return fetchRequestHandler({
    endpoint: ENDPOINT,
    req: read,
    router: appRouter,
    maxBatchSize: LIMITS.calls,
    createContext: () => context,
  });
}

/** Returns the called procedures, as tRPC reads them from the address. */
function pathsOf({ url }: Request): readonly string[] {
  const { pathname, searchParams } = new URL(url);
  const path = decodeURIComponent(pathname.slice(ENDPOINT.length + 1));
  return searchParams.get("batch") === "1" ? path.split(",") : [path];
}

async function refusalOf(
  request: Request,
  paths: readonly string[],
  context: Context,
): Promise<Refusal | undefined> {
  if (paths.length > LIMITS.calls) {
    const sentence = t`A batch can have at most ${LIMITS.calls} calls, not ${paths.length}: send it in parts.`;
    return { status: 400, sentence };
  }
  const types = paths.map(typeOf);
  // A stream reports to its page itself why it ends, because the page could not find out otherwise.
  if (types.every((type) => type === "subscription")) return undefined;
  const isChange = types.includes("mutation");
  const foreign = isChange && !isSameOrigin(request.headers, environment().publicOrigin);
  const signedIn = await context.signedIn().catch(lookupFailed);
  if (signedIn === LOST) return { status: 503, sentence: noLedger() };
  const refusal = foreign ? fromElsewhere : signedIn === undefined ? nobody : undefined;
  if (refusal !== undefined && isChange) {
    const path = paths.join(",").slice(0, PATHS_KEPT);
    await record({ headers: request.headers, path, signedIn, why: inEnglish(refusal).sentence });
  }
  return refusal?.();
}

/** The audit entry of a refused batch keeps this many characters of its procedures' names. */
const PATHS_KEPT = 500;

const nobody = (): Refusal => ({ status: 401, sentence: signedOutText() });
const fromElsewhere = (): Refusal => ({
  status: 403,
  sentence: t`This request does not come from the dashboard's own pages.`,
});
const tooDeep = (): Refusal => ({
  status: 400,
  sentence: t`The request has lists or objects nested more than ${LIMITS.depth} deep, or more than ${LIMITS.members} members: send less at a time.`,
});

const LOST = Symbol("lost");

function lookupFailed(error: unknown): typeof LOST {
  if (!isUnreachable(error)) throw error;
  log.error("The session of a request could not be looked up", { error: String(error) });
  return LOST;
}

/** A refusal stands even if it cannot be recorded. */
async function record(refused: RefusedRequest): Promise<void> {
  await recordRefusedRequest(refused).catch((error: unknown) =>
    log.error("A refused request could not be recorded", { error: String(error) }),
  );
}

interface Procedure {
  readonly _def: { readonly type: "query" | "mutation" | "subscription" };
}

function typeOf(path: string): string | undefined {
  // At run time this is flat, whatever its type says.
  const procedures = appRouter._def.procedures as unknown as Readonly<Record<string, Procedure>>;
  return Object.hasOwn(procedures, path) ? procedures[path]?._def.type : undefined;
}

/** Returns the request with its body read; undefined if it must not reach a parser. */
async function readBody(request: Request): Promise<Request | undefined> {
  const input = new URL(request.url).searchParams.get("input") ?? "";
  if (!isWithinBounds(input, LIMITS)) return undefined;
  if (request.method === "GET" || request.method === "HEAD") return request;
  const body = await request.text();
  if (!isWithinBounds(body, LIMITS)) return undefined;
  const { method, headers, signal, url } = request;
  return new Request(url, { method, headers, signal, ...(body === "" ? {} : { body }) });
}

function refuse(refusal: Refusal, { requestId }: Context): Response {
  return new Response(apiRefusal(refusal, requestId), {
    status: refusal.status,
    headers: { "Content-Type": "application/json" },
  });
}
