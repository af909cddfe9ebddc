import type { Intent } from "@cloudwright/core/model/intent";
import { intentById, listIntents } from "@cloudwright/store/queries/intents";
import { intentRequestSchema, requestIntent } from "@cloudwright/store/request-intent";
import type { Page } from "@cloudwright/store/views";
import { router, viewerProcedure } from "../trpc.ts";
import { idInput, intentsInput } from "./inputs.ts";

const retryInput = intentRequestSchema.omit({ kind: true, planHash: true });

export const intentsRouter = router({
  list: viewerProcedure
    .input(intentsInput)
    .query(({ ctx, input }): Promise<Page<Intent>> => listIntents(ctx.ledger, input)),
  byId: viewerProcedure
    .input(idInput)
    .query(({ ctx, input }): Promise<Intent> => intentById(ctx.ledger, input)),
  retry: viewerProcedure
    .input(retryInput)
    .mutation(
      ({ ctx, input }): Promise<Intent> =>
        requestIntent({ db: ctx.ledger, actor: ctx.viewer }, { ...input, kind: "retry" }),
    ),
});
