import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { visibleData } from "@cloudwright/core/model/values/bounded-text";
import { ACCOUNTS_CHAIN } from "@cloudwright/store/audit/entry-text";
import type { Database } from "@cloudwright/store/database/database";
import { isOperationError } from "@cloudwright/store/operations/errors";
import { isRestricted, mayReach, unknownCluster } from "@cloudwright/store/users/cluster-access";
import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import { serializeAnswer } from "./answer-json.ts";
import { unlessDatabaseSilent } from "./database-check.ts";
import { LIMITS } from "./edge/limits.ts";
import { toTrpcError } from "./errors.ts";
import { inEnglish } from "./language/serve-languages.ts";
import { ledger } from "./ledger.ts";
import { clientOf } from "./requests/client.ts";
import { rateLimiter } from "./requests/rate-limit.ts";
import { recordRefusedRequest } from "./requests/refused-requests.ts";
import { type SignedIn, signedInOf, signedOutText, type Viewer } from "./sign-in/viewer.ts";

/**
 * superjson for inputs: their type notes may only say which members are undefined. Our pages send nothing else, and every other kind builds
 * an object or follows a path of the sender's choice.
 */
export const boundedSuperjson = {
  input: {
    serialize: (value: unknown) => superjson.serialize(value),
    deserialize: (sent: unknown): unknown => {
      if (!isSerialized(sent)) throw notValid();
      if (sent.meta === undefined) return sent.json;
      if (!isBounded(sent.meta)) throw notValid();
      try {
        return superjson.deserialize({ json: sent.json, meta: sent.meta } as Sent);
      } catch (cause) {
        throw notValid(cause);
      }
    },
  },
  output: { serialize: serializeAnswer, deserialize: superjson.deserialize },
};

type Sent = Parameters<typeof superjson.deserialize>[0];

function isSerialized(sent: unknown): sent is { readonly json?: unknown; readonly meta?: unknown } {
  return typeof sent === "object" && sent !== null && !Array.isArray(sent);
}

/** `{ values: ["undefined"] }` for the whole input, or a tree of members with that at its leaves; plus the version. */
function isBounded(meta: unknown): boolean {
  if (!isSerialized(meta)) return false;
  const { values, v, ...others } = meta as Record<string, unknown>;
  const known = Object.keys(others).length === 0 && (v === undefined || v === 1);
  return known && countEntries(values, LIMITS.depth) <= LIMITS.metaEntries;
}

/** Returns Infinity if this is no such tree. */
function countEntries(values: unknown, depth: number): number {
  if (values === undefined) return 0;
  if (depth === 0 || typeof values !== "object" || values === null) return Number.POSITIVE_INFINITY;
  if (Array.isArray(values)) return countOfList(values, depth);
  return sum(Object.values(values).map((each) => countEntries(each, depth - 1)));
}

/** Counts `["undefined"]`, or `["undefined", { further members }]`. */
function countOfList([kind, members, ...more]: readonly unknown[], depth: number): number {
  if (kind !== "undefined" || more.length > 0) return Number.POSITIVE_INFINITY;
  return 1 + countEntries(members, depth - 1);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

function notValid(cause?: unknown): TRPCError {
  return new TRPCError({ code: "BAD_REQUEST", message: t`The request is not valid.`, cause });
}

export interface Context {
  readonly headers: Headers;
  /** Appears in the log and in the error on the page. */
  readonly requestId: string;
  readonly ledger: Database;
  /** Returns who asks, looked up once for all calls of a batch. Rejects with SessionLookupError. */
  readonly signedIn: () => Promise<SignedIn | undefined>;
}

export function createContext(headers: Headers): Context {
  let signedIn: Promise<SignedIn | undefined> | undefined;
  return {
    headers,
    requestId: randomUUID().slice(0, 8),
    ledger: ledger(),
    signedIn: () => {
      signedIn ??= signedInOf(headers);
      return signedIn;
    },
  };
}

export interface ProcedureMeta {
  /**
   * What a procedure is about: the cluster that its input names, by default. A `listed` one returns only the viewer's clusters; for
   * `accounts` the store decides, by role and by whether the viewer is restricted.
   */
  readonly scope?: "cluster" | "listed" | "accounts";
}

const trpc = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({
    transformer: boundedSuperjson,
    sse: {
      ping: { enabled: true, intervalMs: 5_000 },
      client: { reconnectAfterInactivityMs: 15_000 },
    },
    errorFormatter: ({ shape, error, ctx }) => ({
      ...shape,
      message: sentenceOf(error, shape.message),
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, requestId: ctx?.requestId },
    }),
  });

export const router = trpc.router;

/**
 * The base of every procedure: what each answer goes through, whoever asks. A change is not abandoned when the database is silent, because
 * nobody could say whether it was made.
 */
export const answered = trpc.procedure.use(async ({ ctx, path, type, next }) => {
  const result = await (type === "mutation" ? next() : unlessDatabaseSilent(next())).catch(
    (cause: unknown) => ({
      ok: false as const,
      error: new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }),
    }),
  );
  // Others may have written what a page shows, so invisible characters in it are replaced by their escapes.
  if (result.ok)
    return type === "subscription" ? result : { ...result, data: visibleData(result.data) };
  throw toTrpcError(result.error, { requestId: ctx.requestId, path });
});

/** Per user, over all changes; the store has stricter limits of its own. */
const MUTATIONS_A_MINUTE = 240;
const ofUser = rateLimiter({ attempts: MUTATIONS_A_MINUTE, withinMs: 60_000 });

/**
 * For any signed-in user, on the clusters that they may see. The request's origin was checked before, once for all its calls
 * (api-request.ts). If more than the role viewer is needed, the store's verb refuses, because a refusal must leave its audit entry in the
 * ledger; so do the refusals here.
 */
export const viewerProcedure = answered.use(
  async ({ ctx, path, type, meta, getRawInput, next }) => {
    const signedIn = await ctx.signedIn();
    if (signedIn === undefined) throw signedOut();
    const { viewer } = signedIn;
    const input =
      meta?.scope === undefined || meta.scope === "cluster" ? await getRawInput() : NONE;
    const problem = rateProblem(type, viewer) ?? reachProblem(input, viewer);
    if (problem !== undefined) {
      if (type === "mutation") {
        await recordRefusedRequest({
          headers: ctx.headers,
          path,
          signedIn,
          why: inEnglish(problem).message,
        });
      }
      throw problem();
    }
    return next({ ctx: { ...ctx, viewer, verb: verbContext(ctx, signedIn) } });
  },
);

/** For what does not belong to one cluster; the store refuses restricted users where necessary. */
export const accountsProcedure = viewerProcedure.meta({ scope: "accounts" });
/** For answers that cover only the viewer's clusters. */
export const listedProcedure = viewerProcedure.meta({ scope: "listed" });

/** Worded once for the page, and once in English for the audit record. */
type Problem = () => TRPCError;

function rateProblem(type: string, viewer: Viewer): Problem | undefined {
  if (type !== "mutation" || ofUser.allow(viewer.id, Date.now())) return undefined;
  return () =>
    new TRPCError({
      code: "TOO_MANY_REQUESTS",
      message: t`There were more than ${MUTATIONS_A_MINUTE} changes within a minute: wait a moment.`,
    });
}

/** Stands for an input that was not parsed. */
const NONE = Symbol("none");
const clusterSchema = z.object({ cluster: z.string() });

/** A restricted user must name one of their clusters; a request that names none is refused, because its answer could cover others. */
function reachProblem(input: unknown, { clusters }: Viewer): Problem | undefined {
  if (input === NONE || !isRestricted(clusters)) return undefined;
  const named = clusterSchema.safeParse(input).data?.cluster;
  if (named !== undefined && mayReach(clusters, named)) return undefined;
  return () =>
    new TRPCError({
      code: "NOT_FOUND",
      message:
        named === ACCOUNTS_CHAIN
          ? t`The audit entries about accounts are only for users who see all clusters.`
          : unknownCluster(),
    });
}

/** The message of an error thrown while parsing the request is of no use to its sender. */
function sentenceOf({ code, cause }: TRPCError, usual: string): string {
  const isOfReader = code === "PARSE_ERROR" || code === "BAD_REQUEST";
  return isOfReader && cause !== undefined && !isOperationError(cause)
    ? t`The request is not valid.`
    : usual;
}

function signedOut(): TRPCError {
  return new TRPCError({ code: "UNAUTHORIZED", message: signedOutText() });
}

/** Who asks and from where, in the form that the store's verbs take. */
function verbContext(ctx: Context, { viewer, proof }: SignedIn) {
  const { id, name, role, clusters, sessionId } = viewer;
  const actor = { id, name, role, clusters };
  const client = clientOf(ctx.headers);
  return { db: ctx.ledger, actor, client, sessionId, session: proof };
}
