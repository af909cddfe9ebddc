import { randomUUID } from "node:crypto";
import { visibleData } from "@cloudwright/core/model/bounded-text";
import type { Database } from "@cloudwright/store/database";
import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { ZodError } from "zod";
import { clientOf } from "./client.ts";
import { unlessDatabaseSilent } from "./database-check.ts";
import { environment } from "./environment.ts";
import { toTrpcError } from "./errors.ts";
import { ledger } from "./ledger.ts";
import { rateLimiter } from "./rate-limit.ts";
import { recordRefusedRequest } from "./refused-requests.ts";
import { isSameOrigin } from "./same-origin.ts";
import { type SignedIn, signedInOf, type Viewer } from "./viewer.ts";

export interface Context {
  readonly headers: Headers;
  /** Stands in the log and in the error that the page shows. */
  readonly requestId: string;
  readonly ledger: Database;
}

export function createContext(headers: Headers): Context {
  return { headers, requestId: randomUUID().slice(0, 8), ledger: ledger() };
}

const trpc = initTRPC.context<Context>().create({
  transformer: superjson,
  sse: {
    ping: { enabled: true, intervalMs: 5_000 },
    client: { reconnectAfterInactivityMs: 15_000 },
  },
  errorFormatter: ({ shape, error, ctx }) => ({
    ...shape,
    message: error.cause instanceof ZodError ? "The request is not valid." : shape.message,
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
const ofPerson = rateLimiter({ attempts: MUTATIONS_A_MINUTE, withinMs: 60_000 });

/**
 * Anybody who is signed in. A change must come from our own pages as well. What needs more than the role viewer is refused
 * by the store's verb, because a refusal must leave its audit entry in the ledger; so do the refusals here.
 */
export const viewerProcedure = answered.use(async ({ ctx, path, type, next }) => {
  const signedIn = await signedInOf(ctx.headers);
  const viewer = signedIn?.viewer;
  const problem = problemOf({ headers: ctx.headers, isChange: type === "mutation", viewer });
  if (problem !== undefined) {
    if (type === "mutation") {
      await recordRefusedRequest({ headers: ctx.headers, path, signedIn, why: problem.message });
    }
    throw problem;
  }
  if (signedIn === undefined) throw signedOut();
  return next({ ctx: { ...ctx, viewer: signedIn.viewer, verb: verbContext(ctx, signedIn) } });
});

interface Asked {
  readonly headers: Headers;
  readonly isChange: boolean;
  readonly viewer: Viewer | undefined;
}

function problemOf({ headers, isChange, viewer }: Asked): TRPCError | undefined {
  if (isChange && !isSameOrigin(headers, environment().publicOrigin)) {
    const message = "This request does not come from the dashboard's own pages.";
    return new TRPCError({ code: "FORBIDDEN", message });
  }
  if (viewer === undefined) return signedOut();
  if (!isChange || ofPerson.allow(viewer.id, Date.now())) return undefined;
  const message = `There were more than ${MUTATIONS_A_MINUTE} changes within a minute: wait a moment.`;
  return new TRPCError({ code: "TOO_MANY_REQUESTS", message });
}

function signedOut(): TRPCError {
  return new TRPCError({ code: "UNAUTHORIZED", message: "You are not signed in." });
}

/** Who asks and from where, as the store's verbs want it. */
function verbContext(ctx: Context, { viewer, proof }: SignedIn) {
  const { id, name, role, sessionId } = viewer;
  const client = clientOf(ctx.headers);
  return { db: ctx.ledger, actor: { id, name, role }, client, sessionId, session: proof };
}
