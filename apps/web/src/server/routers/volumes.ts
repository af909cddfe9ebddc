import { listVolumes, volumeDetail } from "@cloudwright/store/queries/objects/volumes";
import type { VolumesPage, VolumeView } from "@cloudwright/store/views/volumes";
import { router, viewerProcedure } from "../trpc.ts";
import { nameInput, volumesInput } from "./inputs.ts";

export const volumesRouter = router({
  list: viewerProcedure
    .input(volumesInput)
    .query(({ ctx, input }): Promise<VolumesPage> => listVolumes(ctx.ledger, input)),
  byName: viewerProcedure
    .input(nameInput)
    .query(({ ctx, input }): Promise<VolumeView> => volumeDetail(ctx.ledger, input)),
});
