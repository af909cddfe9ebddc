import { keptPreferencesSchema } from "@cloudwright/core/model/preferences";
import { keepPreferences } from "@cloudwright/store/users/preferences";
import { accountsProcedure, router } from "../trpc.ts";

export const preferencesRouter = router({
  /** Only the user's own; nobody else's can be reached. Pages are rendered with them (page-viewer.ts). */
  keep: accountsProcedure
    .input(keptPreferencesSchema)
    .mutation(({ ctx, input }): Promise<void> => keepPreferences(ctx.verb, input)),
});
