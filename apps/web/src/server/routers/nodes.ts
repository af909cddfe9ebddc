import { nodeDetail } from "@cloudwright/store/queries/objects/node-detail";
import { listNodes } from "@cloudwright/store/queries/objects/nodes";
import type { NodeDetail } from "@cloudwright/store/views/node-detail";
import type { NodesPage } from "@cloudwright/store/views/views";
import { router, viewerProcedure } from "../trpc.ts";
import { nameInput, nodesInput } from "./inputs.ts";

export const nodesRouter = router({
  list: viewerProcedure
    .input(nodesInput)
    .query(({ ctx, input }): Promise<NodesPage> => listNodes(ctx.ledger, input)),
  byName: viewerProcedure
    .input(nameInput)
    .query(({ ctx, input }): Promise<NodeDetail> => nodeDetail(ctx.ledger, input)),
});
