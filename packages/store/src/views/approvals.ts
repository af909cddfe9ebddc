import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { OperationErrorCode } from "../operations/errors.ts";

/** Whether some actions on a cluster wait for another user's approval. */
export interface ApprovalPolicyView {
  readonly required: boolean;
  /** Who changed it last; absent if nobody ever has. */
  readonly changed?: { readonly by: string; readonly at: number };
  /** How many admins of the cluster could approve another one's request. */
  readonly admins: number;
}

export interface WaitingApproval {
  readonly intent: Intent;
  /** Why the reader cannot decide about it, as a sentence; absent if they can. */
  readonly whyNot?: string;
  readonly isOwn: boolean;
}

/** The result for one of several actions that were decided together. */
export type DecisionAnswer =
  | { readonly kind: "decided"; readonly intent: Intent }
  | {
      readonly kind: "refused";
      readonly id: string;
      readonly code: OperationErrorCode;
      readonly why: string;
    };
