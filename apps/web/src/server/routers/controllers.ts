import {
  controllerActivity,
  processSettings,
} from "@cloudwright/store/queries/overview/controllers";
import type { ControllerActivity, ProcessSettings } from "@cloudwright/store/views/controllers";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput } from "./inputs.ts";

export const controllersRouter = router({
  activity: viewerProcedure
    .input(clusterInput)
    .query(
      ({ ctx, input }): Promise<readonly ControllerActivity[]> =>
        controllerActivity(ctx.ledger.pool, { cluster: input.cluster, now: Date.now() }),
    ),
  settings: viewerProcedure
    .input(clusterInput)
    .query(
      ({ ctx, input }): Promise<readonly ProcessSettings[]> =>
        processSettings(ctx.ledger, input.cluster),
    ),
});
