import type { Intent, ListedIntent } from "@cloudwright/core/model/actions/intent";
import { listCommentedIntents } from "@cloudwright/store/comments/commented-lists";
import { cancelIntent, cancelIntentSchema } from "@cloudwright/store/intents/cancel-intent";
import { intentById } from "@cloudwright/store/intents/intents";
import {
  type BatchAnswer,
  batchRequestSchema,
  requestBatch,
} from "@cloudwright/store/intents/request-batch";
import {
  intentRequestSchema,
  invalidRequest,
  requestIntent,
} from "@cloudwright/store/intents/request-intent";
import type { CommentedPage } from "@cloudwright/store/views/comments";
import { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { loggedUnread } from "../requests/logged-unread.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { idInput, intentsInput } from "./inputs.ts";

const retryInput = intentRequestSchema.omit({
  kind: true,
  action: true,
  planHash: true,
  confirmation: true,
});

/** Says what is not valid, as the store does: a script may name a setting or an action that there is not. */
const requestProcedure = viewerProcedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok || !(result.error.cause instanceof ZodError)) return result;
  throw new TRPCError({ code: "BAD_REQUEST", cause: invalidRequest(result.error.cause) });
});

export const intentsRouter = router({
  list: viewerProcedure
    .input(intentsInput)
    .query(
      ({ ctx, input, path }): Promise<CommentedPage<ListedIntent>> =>
        listCommentedIntents(ctx.ledger, { ...input, onUnread: loggedUnread(path) }),
    ),
  byId: viewerProcedure
    .input(idInput)
    .query(({ ctx, input }): Promise<ListedIntent> => intentById(ctx.ledger, input)),
  /** Previews, and every action of UX.md section 10; the store checks the role's permissions. */
  request: requestProcedure
    .input(intentRequestSchema)
    .mutation(({ ctx, input }): Promise<Intent> => requestIntent(ctx.verb, input)),
  /** One action on many objects, or its previews, at once; the store checks the role's permissions. */
  requestBatch: requestProcedure
    .input(batchRequestSchema)
    .mutation(({ ctx, input }): Promise<readonly BatchAnswer[]> => requestBatch(ctx.verb, input)),
  retry: requestProcedure
    .input(retryInput)
    .mutation(
      ({ ctx, input }): Promise<Intent> => requestIntent(ctx.verb, { ...input, kind: "retry" }),
    ),
  cancel: viewerProcedure
    .input(cancelIntentSchema)
    .mutation(({ ctx, input }): Promise<ListedIntent> => cancelIntent(ctx.verb, input)),
});
