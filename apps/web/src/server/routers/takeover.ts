import { takeoverOf } from "@cloudwright/store/queries/adoption/takeover";
import type { TakeoverView } from "@cloudwright/store/views/takeover";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

export const takeoverRouter = router({
  byCluster: viewerProcedure
    .input(clusterInput)
    .query(({ ctx, input }): Promise<TakeoverView> => takeoverOf(ctx.ledger, input.cluster)),
});
