import { pendingOfShadow } from "@cloudwright/store/queries/shadow";
import type { ShadowPage } from "@cloudwright/store/shadow-views";
import { router, viewerProcedure } from "../trpc.ts";
import { shadowInput } from "./inputs.ts";

export const shadowRouter = router({
  pending: viewerProcedure
    .input(shadowInput)
    .query(({ ctx, input }): Promise<ShadowPage> => pendingOfShadow(ctx.ledger, input)),
});
