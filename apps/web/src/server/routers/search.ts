import { findAnything } from "@cloudwright/store/queries/overview/find";
import type { Found } from "@cloudwright/store/views/find";
import { router, viewerProcedure } from "../trpc.ts";
import { findInput } from "./inputs.ts";

export const searchRouter = router({
  find: viewerProcedure
    .input(findInput)
    .query(({ ctx, input }): Promise<Found> => findAnything(ctx.ledger, input)),
});
