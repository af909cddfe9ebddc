import { findInFleet } from "@cloudwright/store/queries/fleet/find-in-fleet";
import { fleetSettings } from "@cloudwright/store/queries/fleet/fleet-settings";
import { sharedCauses } from "@cloudwright/store/queries/fleet/shared-causes";
import { listedProcedure, router } from "../trpc.ts";
import { fleetFindInput } from "./inputs.ts";

/** Queries over all clusters: each covers those that the viewer may see, and no others. */
export const fleetRouter = router({
  find: listedProcedure
    .input(fleetFindInput)
    .query(({ ctx, input }) =>
      findInFleet(ctx.ledger, { access: ctx.viewer.clusters, text: input.text }),
    ),
  causes: listedProcedure.query(({ ctx }) => sharedCauses(ctx.ledger, ctx.viewer.clusters)),
  settings: listedProcedure.query(({ ctx }) => fleetSettings(ctx.ledger, ctx.viewer.clusters)),
});
