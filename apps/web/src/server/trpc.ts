import { randomUUID } from "node:crypto";
import type { Database } from "@cloudwright/store/database";
import { initTRPC, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { ZodError } from "zod";
import { environment } from "./environment.ts";
import { toTrpcError } from "./errors.ts";
import { ledger } from "./ledger.ts";
import { isSameOrigin } from "./same-origin.ts";
import { viewerOf } from "./viewer.ts";

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

const answered = trpc.procedure.use(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  throw toTrpcError(result.error, { requestId: ctx.requestId, path });
});

/** Anybody; mutations must come from our own pages all the same. */
const publicProcedure = answered.use(({ ctx, type, next }) => {
  if (type === "mutation" && !isSameOrigin(ctx.headers, environment().publicOrigin)) {
    throw new TRPCError({
      code: "FORBIDDEN",
      message: "This request does not come from the dashboard's own pages.",
    });
  }
  return next();
});

/**
 * Anybody who is signed in. What needs more than the role viewer is refused by the store's verb, because a refusal must leave
 * its audit entry in the ledger.
 */
export const viewerProcedure = publicProcedure.use(async ({ ctx, next }) => {
  const viewer = await viewerOf(ctx.headers);
  if (viewer === undefined) {
    throw new TRPCError({ code: "UNAUTHORIZED", message: "You are not signed in." });
  }
  return next({ ctx: { ...ctx, viewer } });
});
