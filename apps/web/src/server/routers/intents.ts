import type { Intent, ListedIntent } from "@cloudwright/core/model/actions/intent";
import { listCommentedIntents } from "@cloudwright/store/comments/commented-lists";
import { cancelIntent, cancelIntentSchema } from "@cloudwright/store/intents/cancel-intent";
import { intentById } from "@cloudwright/store/intents/intents";
import {
  type BatchAnswer,
  batchRequestSchema,
  requestBatch,
} from "@cloudwright/store/intents/request-batch";
import { intentRequestSchema, requestIntent } from "@cloudwright/store/intents/request-intent";
import type { CommentedPage } from "@cloudwright/store/views/comments";
import { loggedUnread } from "../requests/logged-unread.ts";
import { router, viewerProcedure } from "../trpc.ts";
import { idInput, intentsInput } from "./inputs.ts";

const retryInput = intentRequestSchema.omit({
  kind: true,
  action: true,
  planHash: true,
  confirmation: true,
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
  request: viewerProcedure
    .input(intentRequestSchema)
    .mutation(({ ctx, input }): Promise<Intent> => requestIntent(ctx.verb, input)),
  /** One action on many objects, or its previews, at once; the store checks the role's permissions. */
  requestBatch: viewerProcedure
    .input(batchRequestSchema)
    .mutation(({ ctx, input }): Promise<readonly BatchAnswer[]> => requestBatch(ctx.verb, input)),
  retry: viewerProcedure
    .input(retryInput)
    .mutation(
      ({ ctx, input }): Promise<Intent> => requestIntent(ctx.verb, { ...input, kind: "retry" }),
    ),
  cancel: viewerProcedure
    .input(cancelIntentSchema)
    .mutation(({ ctx, input }): Promise<ListedIntent> => cancelIntent(ctx.verb, input)),
});
