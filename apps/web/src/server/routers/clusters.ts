import { clusterById, listClusters } from "@cloudwright/store/queries/overview/clusters";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { listedProcedure, router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

/** Includes the server's time, so that a page can tell a wrong clock of its own from old data. */
export type ClusterAnswer = ClusterView & { readonly serverNow: number };

export const clustersRouter = router({
  list: listedProcedure.query(async ({ ctx }): Promise<readonly ClusterAnswer[]> => {
    const clusters = await listClusters(ctx.ledger, ctx.viewer.clusters);
    const serverNow = Date.now();
    return clusters.map((cluster) => ({ ...cluster, serverNow }));
  }),
  byId: viewerProcedure
    .input(clusterInput)
    .query(async ({ ctx, input }): Promise<ClusterAnswer> => {
      const cluster = await clusterById(ctx.ledger, input.cluster);
      return { ...cluster, serverNow: Date.now() };
    }),
});
