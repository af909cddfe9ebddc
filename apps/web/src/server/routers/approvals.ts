import type { Intent } from "@cloudwright/core/model/actions/intent";
import {
  approvalPolicy,
  setApproval,
  setApprovalSchema,
} from "@cloudwright/store/intents/approval-policy";
import { decideBatch, decideBatchSchema } from "@cloudwright/store/intents/decide-batch";
import {
  decideIntent,
  decideIntentSchema,
  waitingApprovals,
} from "@cloudwright/store/intents/decide-intent";
import type {
  ApprovalPolicyView,
  DecisionAnswer,
  WaitingApproval,
} from "@cloudwright/store/views/approvals";
import { router, viewerProcedure } from "../trpc.ts";
import { clusterInput, waitingInput } from "./inputs.ts";

/** Actions that wait for another user's approval. The requester withdraws one like any other action (`intents.cancel`). */
export const approvalsRouter = router({
  policy: viewerProcedure
    .input(clusterInput)
    .query(
      ({ ctx, input }): Promise<ApprovalPolicyView> => approvalPolicy(ctx.ledger, input.cluster),
    ),
  setPolicy: viewerProcedure
    .input(setApprovalSchema)
    .mutation(({ ctx, input }): Promise<ApprovalPolicyView> => setApproval(ctx.verb, input)),
  /** Those of a cluster, or of one batch. */
  waiting: viewerProcedure
    .input(waitingInput)
    .query(
      ({ ctx, input }): Promise<readonly WaitingApproval[]> => waitingApprovals(ctx.verb, input),
    ),
  decide: viewerProcedure
    .input(decideIntentSchema)
    .mutation(({ ctx, input }): Promise<Intent> => decideIntent(ctx.verb, input)),
  /** Decides on several actions of a batch at once. */
  decideBatch: viewerProcedure
    .input(decideBatchSchema)
    .mutation(({ ctx, input }): Promise<readonly DecisionAnswer[]> => decideBatch(ctx.verb, input)),
});
