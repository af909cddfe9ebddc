import {
  addComment,
  addCommentSchema,
  commentsInputSchema,
  listComments,
  withdrawComment,
  withdrawCommentSchema,
} from "@cloudwright/store/comments/comments";
import type { Comment } from "@cloudwright/store/views/comments";
import { router, viewerProcedure } from "../trpc.ts";

export const commentsRouter = router({
  list: viewerProcedure
    .input(commentsInputSchema)
    .query(({ ctx, input }): Promise<readonly Comment[]> => listComments(ctx.verb, input)),
  add: viewerProcedure
    .input(addCommentSchema)
    .mutation(({ ctx, input }): Promise<{ readonly id: string }> => addComment(ctx.verb, input)),
  /** The user's own; for an admin, anybody's. */
  withdraw: viewerProcedure
    .input(withdrawCommentSchema)
    .mutation(({ ctx, input }): Promise<void> => withdrawComment(ctx.verb, input)),
});
