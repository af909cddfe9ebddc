import { requireChain } from "@cloudwright/store/audit/verify-audit";
import type { TokenHolder } from "@cloudwright/store/users/accept-api-token";
import { TRPCError } from "@trpc/server";
import { unlessDatabaseSilent } from "../database-check.ts";
import { toTrpcError } from "../errors.ts";
import { appRouter } from "../root.ts";
import { type Context, createContext } from "../trpc.ts";
import { holderOf } from "./bearer.ts";
import { openApiText } from "./open-api.ts";
import { readInput } from "./parameters.ts";
import { ApiProblem, problemAnswer } from "./problem.ts";
import { DOCUMENT, matchRoute, type RouteMatch } from "./routes.ts";

const METHODS = "GET, HEAD";

/** Answers a request of the HTTP API. The API is read-only, except for recording when its token was last used. */
export async function httpApiRequest(request: Request): Promise<Response> {
  const context = createContext(request.headers);
  const { requestId } = context;
  try {
    const text = await textOf(request, context);
    return new Response(request.method === "HEAD" ? null : text, {
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "no-store",
        "X-Request-Id": requestId,
      },
    });
  } catch (error) {
    return problemAnswer(asProblem(error, request, requestId), requestId);
  }
}

async function textOf(request: Request, context: Context): Promise<string> {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") throw notAllowed(method);
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === DOCUMENT) return openApiText();
  const match = matchRoute(pathname);
  if (match === undefined) throw noAddress();
  const holder = await holderOf(request);
  const read = readInput(match.route, match.values, searchParams);
  if (read.kind === "problem") {
    throw new ApiProblem({ status: 400, sentence: read.sentence, parameter: read.parameter });
  }
  const answer = await ask({ match, input: read.input, context: contextOf(context, holder) });
  return jsonText(match.route.shape?.(answer) ?? answer);
}

interface Asked {
  readonly match: RouteMatch;
  readonly input: unknown;
  readonly context: Context;
}

/** Calls the pages' own procedure, which checks role and clusters; an unknown cluster is an error here, not an empty list. */
async function ask({ match, input, context }: Asked): Promise<unknown> {
  const { procedure, fixed } = match.route;
  const cluster = match.values.cluster ?? fixed?.cluster;
  if (cluster !== undefined) await requireCluster(context, cluster);
  const call = procedureOf(procedure, context);
  return call(input);
}

async function requireCluster(context: Context, cluster: string): Promise<void> {
  const actor = (await context.signedIn())?.viewer;
  if (actor === undefined) return;
  await unlessDatabaseSilent(requireChain({ db: context.ledger, actor }, cluster));
}

type Call = (input: unknown) => Promise<unknown>;

function procedureOf(path: string, context: Context): Call {
  const [router = "", name = ""] = path.split(".");
  const caller = appRouter.createCaller(context) as unknown as Readonly<
    Record<string, Readonly<Record<string, Call>>>
  >;
  const call = caller[router]?.[name];
  if (call === undefined) throw new Error(`There is no procedure ${path}.`);
  return call;
}

/** The proof belongs to no session, so a token could not change anything even if a procedure tried. */
function contextOf(context: Context, holder: TokenHolder): Context {
  const { tokenId, ...user } = holder;
  const signedIn = {
    viewer: { ...user, sessionId: `token:${tokenId}` },
    proof: { kind: "session", id: `token:${tokenId}`, tokenHash: "" },
  } as const;
  return { ...context, signedIn: () => Promise.resolve(signedIn) };
}

/** Writes whole numbers beyond the precision of a double as strings. */
function jsonText(answer: unknown): string {
  return JSON.stringify(answer, (_name, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

function notAllowed(method: string): ApiProblem {
  const sentence = `The API only reads: send GET, not ${method}.`;
  return new ApiProblem({ status: 405, sentence, headers: { Allow: METHODS } });
}

function noAddress(): ApiProblem {
  return new ApiProblem({
    status: 404,
    sentence: `There is no such address: ${DOCUMENT} lists them.`,
  });
}

/** A procedure's own error already has a sentence, and has been logged where necessary. */
function asProblem(error: unknown, request: Request, requestId: string): ApiProblem | TRPCError {
  if (error instanceof ApiProblem || error instanceof TRPCError) return error;
  const path = new URL(request.url).pathname.slice(0, 200);
  const thrown = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: error });
  return toTrpcError(thrown, { requestId, path });
}
