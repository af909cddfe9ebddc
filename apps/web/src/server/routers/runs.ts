import { runDetail } from "@cloudwright/store/queries/runs/run-detail";
import { listRuns } from "@cloudwright/store/queries/runs/runs";
import { runsHistogram, type TimeHistogram } from "@cloudwright/store/queries/runs/time-histogram";
import type { Page, RunDetail, RunRow } from "@cloudwright/store/views/views";
import { router, viewerProcedure } from "../trpc.ts";
import { idInput, runsHistogramInput, runsInput } from "./inputs.ts";

export const runsRouter = router({
  list: viewerProcedure
    .input(runsInput)
    .query(({ ctx, input }): Promise<Page<RunRow>> => listRuns(ctx.ledger, input)),
  histogram: viewerProcedure
    .input(runsHistogramInput)
    .query(
      ({ ctx, input }): Promise<TimeHistogram> =>
        runsHistogram(ctx.ledger, { ...input, now: Date.now() }),
    ),
  byId: viewerProcedure
    .input(idInput)
    .query(({ ctx, input }): Promise<RunDetail> => runDetail(ctx.ledger, input)),
});
