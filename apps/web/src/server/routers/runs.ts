import { runDetail } from "@cloudwright/store/queries/run-detail";
import { listRuns } from "@cloudwright/store/queries/runs";
import type { Page, RunDetail, RunRow } from "@cloudwright/store/views";
import { router, viewerProcedure } from "../trpc.ts";
import { idInput, runsInput } from "./inputs.ts";

export const runsRouter = router({
  list: viewerProcedure
    .input(runsInput)
    .query(({ ctx, input }): Promise<Page<RunRow>> => listRuns(ctx.ledger, input)),
  byId: viewerProcedure
    .input(idInput)
    .query(({ ctx, input }): Promise<RunDetail> => runDetail(ctx.ledger, input)),
});
