import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { Asked, ControlWish } from "../../model/wish.ts";
import type { Look } from "../loop-port.ts";

/**
 * Carries out wishes about controllers and the deletion guard on the control record (DESIGN.md "Who owns which truth").
 * As with objects, a wish that is refused has a plan without changes whose `notTaken` names the wish's kind as its step.
 */
export interface ControlTarget {
  /** Reads the record anew and plans what the wish would change in it. Throws KubeError. */
  look(asked: Asked<ControlWish>, object: ObjectRef, signal: AbortSignal): Promise<Look>;
  /**
   * Plans, compares the hash if there is one, writes, and looks again. A record that carries this intent's id already is
   * *done*, whatever the hash says: another leader had written it. Throws KubeError.
   */
  carryOut(request: ControlRequest, signal: AbortSignal): Promise<ControlReport>;
}

export interface ControlRequest {
  readonly asked: Asked<ControlWish>;
  readonly object: ObjectRef;
  /** The hash of the plan that the person was shown. */
  readonly planHash?: string | undefined;
}

export type ControlReport =
  /** Seen when looked at again; `result` is the sentence that the person reads. */
  | { readonly kind: "done"; readonly result: string }
  /** The plan was another one by now; nothing was written. */
  | { readonly kind: "planChanged"; readonly look: Look }
  /** Such as `ControlRecordUnavailable` or `NothingToDo`. */
  | { readonly kind: "refused"; readonly reason: Reason };
