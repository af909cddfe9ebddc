import { overview } from "@cloudwright/store/queries/overview/overview";
import type { OverviewView } from "@cloudwright/store/views/overview";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

export const overviewRouter = router({
  byCluster: viewerProcedure
    .input(clusterInput)
    .query(
      ({ ctx, input }): Promise<OverviewView> =>
        overview(ctx.ledger, { cluster: input.cluster, now: Date.now() }),
    ),
});
