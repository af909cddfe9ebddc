import type { ControlAction, RequestedAction } from "../../model/actions/action.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { Preview } from "../loop-port.ts";

/**
 * Carries out actions about controllers and the deletion guard on the control record (DESIGN.md "Who owns which truth"). As
 * with objects, the plan of a refused action has no changes, and its `notTaken` has the action's kind as its step.
 */
export interface ControlTarget {
  /** Reads the record again and plans what the action would change in it. Throws KubeError. */
  preview(
    requested: RequestedAction<ControlAction>,
    object: ObjectRef,
    signal: AbortSignal,
  ): Promise<Preview>;
  /**
   * Plans, compares the hash if there is one, writes, and observes again. If the record already carries this intent's id,
   * another leader has written it, and the report is *done* whatever the hash. Throws KubeError.
   */
  carryOut(request: ControlRequest, signal: AbortSignal): Promise<ControlReport>;
}

export interface ControlRequest {
  readonly requested: RequestedAction<ControlAction>;
  readonly object: ObjectRef;
  /** The hash of the plan that was shown to the user. */
  readonly planHash?: string | undefined;
}

export type ControlReport =
  /** The effect was observed; `result` is the sentence for the user. */
  | { readonly kind: "done"; readonly result: string }
  /** The plan has changed; nothing was written. */
  | { readonly kind: "planChanged"; readonly preview: Preview }
  /** For example `ControlRecordUnavailable` or `NothingToDo`. */
  | { readonly kind: "refused"; readonly reason: Reason };
