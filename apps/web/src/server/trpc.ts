import { randomUUID } from "node:crypto";
import { t } from "@cloudwright/core/model/language/text";
import { visibleData } from "@cloudwright/core/model/values/bounded-text";
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
 * superjson for inputs: what they say of their types may name members that are undefined, and no more. Our pages send
 * nothing else, and each other kind builds an object or follows a path of the sender's choice.
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

/** `{ values: ["undefined"] }` for the whole, or a tree of members with that at its ends; the version beside it. */
function isBounded(meta: unknown): boolean {
  if (!isSerialized(meta)) return false;
  const { values, v, ...others } = meta as Record<string, unknown>;
  const known = Object.keys(others).length === 0 && (v === undefined || v === 1);
  return known && countEntries(values, LIMITS.depth) <= LIMITS.metaEntries;
}

/** Infinity for what is no such tree. */
function countEntries(values: unknown, depth: number): number {
  if (values === undefined) return 0;
  if (depth === 0 || typeof values !== "object" || values === null) return Number.POSITIVE_INFINITY;
  if (Array.isArray(values)) return countOfList(values, depth);
  return sum(Object.values(values).map((each) => countEntries(each, depth - 1)));
}

/** `["undefined"]`, or `["undefined", { further members }]`. */
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
  /** Stands in the log and in the error that the page shows. */
  readonly requestId: string;
  readonly ledger: Database;
  /** Who asks, looked up once for all calls of a batch. Rejects with SessionLookupError. */
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
   * What a procedure is about: the cluster that its input names, unless it says otherwise. Of `listed` it answers no more than
   * the viewer's clusters; of `accounts` the store decides, by role and by whether the viewer is restricted.
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
 * The base of every procedure: what each answer goes through, whoever asks. A change is not given up when the database is silent:
 * nobody could say what became of it.
 */
export const answered = trpc.procedure.use(async ({ ctx, path, type, next }) => {
  const result = await (type === "mutation" ? next() : unlessDatabaseSilent(next())).catch(
    (cause: unknown) => ({
      ok: false as const,
      error: new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause }),
    }),
  );
  // What a page shows, others may have written: characters that are not seen stand in it as their escapes.
  if (result.ok)
    return type === "subscription" ? result : { ...result, data: visibleData(result.data) };
  throw toTrpcError(result.error, { requestId: ctx.requestId, path });
});

/** Of one person, over all that they change; the store has closer limits of its own. */
const MUTATIONS_A_MINUTE = 240;
const ofUser = rateLimiter({ attempts: MUTATIONS_A_MINUTE, withinMs: 60_000 });

/**
 * Anybody who is signed in, on the clusters that are theirs. Where a request comes from was looked at before, once for all its
 * calls (api-request.ts). What needs more than the role viewer is refused by the store's verb, because a refusal must leave
 * its audit entry in the ledger; so do the refusals here.
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

/** For what is about no one cluster; whoever is restricted is kept from it by the store where it is not theirs. */
export const accountsProcedure = viewerProcedure.meta({ scope: "accounts" });
/** For what answers the viewer's clusters alone. */
export const listedProcedure = viewerProcedure.meta({ scope: "listed" });

/** Worded once for the page and once for the audit record, which is in English. */
type Problem = () => TRPCError;

function rateProblem(type: string, viewer: Viewer): Problem | undefined {
  if (type !== "mutation" || ofUser.allow(viewer.id, Date.now())) return undefined;
  return () =>
    new TRPCError({
      code: "TOO_MANY_REQUESTS",
      message: t`There were more than ${MUTATIONS_A_MINUTE} changes within a minute: wait a moment.`,
    });
}

/** Stands for an input that is not looked at. */
const NONE = Symbol("none");
const clusterSchema = z.object({ cluster: z.string() });

/** Whoever is restricted names a cluster of theirs; what names none is refused, as nobody knows what it would answer. */
function reachProblem(input: unknown, { clusters }: Viewer): Problem | undefined {
  if (input === NONE || !isRestricted(clusters)) return undefined;
  const named = clusterSchema.safeParse(input).data?.cluster;
  if (named !== undefined && mayReach(clusters, named)) return undefined;
  return () => new TRPCError({ code: "NOT_FOUND", message: unknownCluster() });
}

/** What was thrown by a reader of the request says nothing to whoever sent it. */
function sentenceOf({ code, cause }: TRPCError, usual: string): string {
  const isOfReader = code === "PARSE_ERROR" || code === "BAD_REQUEST";
  return isOfReader && cause !== undefined && !isOperationError(cause)
    ? t`The request is not valid.`
    : usual;
}

function signedOut(): TRPCError {
  return new TRPCError({ code: "UNAUTHORIZED", message: signedOutText() });
}

/** Who asks and from where, as the store's verbs want it. */
function verbContext(ctx: Context, { viewer, proof }: SignedIn) {
  const { id, name, role, clusters, sessionId } = viewer;
  const actor = { id, name, role, clusters };
  const client = clientOf(ctx.headers);
  return { db: ctx.ledger, actor, client, sessionId, session: proof };
}
