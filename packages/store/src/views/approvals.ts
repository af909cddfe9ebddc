import type { Intent } from "@cloudwright/core/model/actions/intent";
import type { OperationErrorCode } from "../operations/errors.ts";

/** Whether some actions on a cluster wait for another person's approval. */
export interface ApprovalPolicyView {
  readonly required: boolean;
  /** Who changed it last; absent where nobody ever has. */
  readonly changed?: { readonly by: string; readonly at: number };
  /** How many admins of the cluster could approve what another one asks for. */
  readonly admins: number;
}

export interface WaitingApproval {
  readonly intent: Intent;
  /** Why whoever asks cannot decide about it, as a sentence; absent where they can. */
  readonly whyNot?: string;
  readonly isOwn: boolean;
}

/** What became of one of several that were decided about as one. */
export type DecisionAnswer =
  | { readonly kind: "decided"; readonly intent: Intent }
  | {
      readonly kind: "refused";
      readonly id: string;
      readonly code: OperationErrorCode;
      readonly why: string;
    };
