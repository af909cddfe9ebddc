import { keptPreferencesSchema } from "@cloudwright/core/model/preferences";
import { keepPreferences } from "@cloudwright/store/users/preferences";
import { accountsProcedure, router } from "../trpc.ts";

export const preferencesRouter = router({
  /** One's own, of which nobody else's are within reach. Pages are sent with them (page-viewer.ts). */
  keep: accountsProcedure
    .input(keptPreferencesSchema)
    .mutation(({ ctx, input }): Promise<void> => keepPreferences(ctx.verb, input)),
});
