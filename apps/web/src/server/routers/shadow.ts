import { pendingOfShadow } from "@cloudwright/store/queries/shadow/shadow";
import type { ShadowPage } from "@cloudwright/store/views/shadow";
import { router, viewerProcedure } from "../trpc.ts";
import { shadowInput } from "./inputs.ts";

export const shadowRouter = router({
  pending: viewerProcedure
    .input(shadowInput)
    .query(({ ctx, input }): Promise<ShadowPage> => pendingOfShadow(ctx.ledger, input)),
});
