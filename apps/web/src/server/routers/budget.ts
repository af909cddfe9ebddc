import { budget } from "@cloudwright/store/queries/budget/budget";
import { BUDGET_RANGES, type BudgetView } from "@cloudwright/store/views/budget";
import { z } from "zod";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

export const budgetRouter = router({
  byCluster: viewerProcedure
    .input(clusterInput.extend({ range: z.enum(BUDGET_RANGES) }))
    .query(
      ({ ctx, input }): Promise<BudgetView> => budget(ctx.ledger, { ...input, now: Date.now() }),
    ),
});
