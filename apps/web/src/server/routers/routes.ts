import { listForeignRoutes } from "@cloudwright/store/queries/objects/foreign-routes";
import { listRouteTables } from "@cloudwright/store/queries/objects/route-tables";
import { listRoutes, listStaleRoutes, nodeRoutes } from "@cloudwright/store/queries/objects/routes";
import type {
  ForeignPage,
  NodeRoutesView,
  RoutesPage,
  RouteTableView,
  StalePage,
} from "@cloudwright/store/views/routes";
import { router, viewerProcedure } from "../trpc.ts";
import {
  clusterInput,
  foreignRoutesInput,
  nameInput,
  routesInput,
  staleRoutesInput,
} from "./inputs.ts";

export const routesRouter = router({
  list: viewerProcedure
    .input(routesInput)
    .query(({ ctx, input }): Promise<RoutesPage> => listRoutes(ctx.ledger, input)),
  ofNode: viewerProcedure
    .input(nameInput)
    .query(({ ctx, input }): Promise<NodeRoutesView> => nodeRoutes(ctx.ledger, input)),
  tables: viewerProcedure
    .input(clusterInput)
    .query(
      ({ ctx, input }): Promise<readonly RouteTableView[]> =>
        listRouteTables(ctx.ledger, { cluster: input.cluster, now: Date.now() }),
    ),
  foreign: viewerProcedure
    .input(foreignRoutesInput)
    .query(({ ctx, input }): Promise<ForeignPage> => listForeignRoutes(ctx.ledger, input)),
  stale: viewerProcedure
    .input(staleRoutesInput)
    .query(({ ctx, input }): Promise<StalePage> => listStaleRoutes(ctx.ledger, input)),
});
