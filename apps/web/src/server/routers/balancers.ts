import {
  balancerDetail,
  listBalancers,
  listOrphans,
} from "@cloudwright/store/queries/objects/balancers";
import { nodeBalancers } from "@cloudwright/store/queries/objects/node-balancers";
import type {
  BalancersPage,
  BalancerView,
  NodeBalancers,
  OrphansPage,
} from "@cloudwright/store/views/balancers";
import { router, viewerProcedure } from "../trpc.ts";
import { balancersInput, nameInput, orphansInput, serviceInput } from "./inputs.ts";

export const balancersRouter = router({
  list: viewerProcedure
    .input(balancersInput)
    .query(({ ctx, input }): Promise<BalancersPage> => listBalancers(ctx.ledger, input)),
  byName: viewerProcedure
    .input(serviceInput)
    .query(({ ctx, input }): Promise<BalancerView> => balancerDetail(ctx.ledger, input)),
  orphans: viewerProcedure
    .input(orphansInput)
    .query(({ ctx, input }): Promise<OrphansPage> => listOrphans(ctx.ledger, input)),
  ofNode: viewerProcedure
    .input(nameInput)
    .query(({ ctx, input }): Promise<NodeBalancers> => nodeBalancers(ctx.ledger, input)),
});
