import type { OverviewView } from "@cloudwright/store/overview-views";
import { overview } from "@cloudwright/store/queries/overview";
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
