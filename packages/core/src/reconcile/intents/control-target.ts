import type { ControlAction, RequestedAction } from "../../model/actions/action.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { Preview } from "../loop-port.ts";

/**
 * Carries out actions about controllers and the deletion guard on the control record (DESIGN.md "Who owns which truth").
 * As with objects, an action that is refused has a plan without changes whose `notTaken` names the action's kind as its step.
 */
export interface ControlTarget {
  /** Reads the record anew and plans what the action would change in it. Throws KubeError. */
  preview(
    requested: RequestedAction<ControlAction>,
    object: ObjectRef,
    signal: AbortSignal,
  ): Promise<Preview>;
  /**
   * Plans, compares the hash if there is one, writes, and observes again. A record that carries this intent's id already is
   * *done*, whatever the hash says: another leader had written it. Throws KubeError.
   */
  carryOut(request: ControlRequest, signal: AbortSignal): Promise<ControlReport>;
}

export interface ControlRequest {
  readonly requested: RequestedAction<ControlAction>;
  readonly object: ObjectRef;
  /** The hash of the plan that the user was shown. */
  readonly planHash?: string | undefined;
}

export type ControlReport =
  /** The effect was observed; `result` is the sentence that the user reads. */
  | { readonly kind: "done"; readonly result: string }
  /** The plan was another one by now; nothing was written. */
  | { readonly kind: "planChanged"; readonly preview: Preview }
  /** Such as `ControlRecordUnavailable` or `NothingToDo`. */
  | { readonly kind: "refused"; readonly reason: Reason };
