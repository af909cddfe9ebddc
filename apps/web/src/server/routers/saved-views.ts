import {
  changeView,
  changeViewSchema,
  listViews,
  removeView,
  removeViewSchema,
  saveView,
  saveViewSchema,
} from "@cloudwright/store/saved-views/saved-views";
import type { SavedView } from "@cloudwright/store/views/saved-views";
import { accountsProcedure, listedProcedure, router } from "../trpc.ts";

export const savedViewsRouter = router({
  /** The user's own views, and those shared by others, for the clusters that the user may see. */
  list: listedProcedure.query(({ ctx }): Promise<readonly SavedView[]> => listViews(ctx.verb)),
  save: accountsProcedure
    .input(saveViewSchema)
    .mutation(({ ctx, input }): Promise<{ readonly id: string }> => saveView(ctx.verb, input)),
  /** The user's own; for an admin, also a shared one. */
  change: accountsProcedure
    .input(changeViewSchema)
    .mutation(({ ctx, input }): Promise<void> => changeView(ctx.verb, input)),
  remove: accountsProcedure
    .input(removeViewSchema)
    .mutation(({ ctx, input }): Promise<void> => removeView(ctx.verb, input)),
});
