import {
  type Action,
  actionOf,
  isOwnWork,
  namedLoops,
  typedOf,
} from "@cloudwright/core/model/actions/action";
import type { Typed } from "@cloudwright/core/model/actions/define";
import { t } from "@cloudwright/core/model/language/text";
import { uuidV7 } from "@cloudwright/core/model/values/ids";
import { type ActionChoice, actionOfChoice } from "../action-choice.ts";
import type { ShownPlan } from "../plan/plan-facts.ts";
import type { PreviewState } from "../plan/preview-state.ts";

export interface ConfirmationInput {
  readonly choice: ActionChoice;
  readonly action: Action;
  readonly why: string;
  readonly typed: string;
  /** The plan that the user was shown; undefined if they could not wait for it. */
  readonly plan: ShownPlan | undefined;
}

/**
 * Builds the request for the confirmed action. A single retry does what the loop would do by itself, whatever the plan has become; every
 * other action is done as it was shown or not at all.
 */
export function confirmationRequest({ choice, action, why, typed, plan }: ConfirmationInput) {
  const { cluster, controller, object, scope } = choice;
  const namesLoops = namedLoops(action) !== undefined;
  const isHeldTo = !isOwnWork(action) && plan !== undefined;
  return {
    cluster,
    kind: action.kind,
    action,
    controller,
    object,
    // The loops that were previewed; without a preview, those that the ledger says are not OK.
    ...(scope === undefined || namesLoops ? {} : { scope }),
    why: why.trim(),
    ...(isHeldTo ? { planHash: plan.planHash } : {}),
    ...(typedFor(choice) === undefined ? {} : { confirmation: typed.trim() }),
  };
}

/** Returns what has to be typed and its label. */
export function typedFor(choice: ActionChoice): Typed | undefined {
  return typedOf(actionOfChoice(choice, 0), choice.object);
}

/** Returns why the button cannot be pressed now, whatever the fields contain; undefined if it can. */
export function obstacleOf(kind: Action["kind"], preview: PreviewState): string | undefined {
  if (preview.kind === "answered") return undefined;
  // The loop's own work needs no plan.
  if (isOwnWork({ kind })) return undefined;
  if (preview.kind === "refused") return t`The leader would refuse it.`;
  if (actionOf(kind).needsPlan !== true) return undefined;
  return preview.kind === "asking"
    ? t`The plan is not known yet.`
    : t`Without a plan it cannot be confirmed.`;
}

export interface FieldProblems {
  readonly why?: string;
  readonly typed?: string;
}

/** Returns what is wrong with the fields; empty if the action can be requested. */
export function fieldProblems(input: ConfirmationInput): FieldProblems {
  const wanted = typedFor(input.choice)?.text;
  return {
    ...(input.why.trim() === "" ? { why: t`Enter a reason: it is kept in the audit record.` } : {}),
    ...(wanted !== undefined && input.typed.trim() !== wanted
      ? { typed: t`Type exactly ${wanted}.` }
      : {}),
  };
}

/** Does not use `crypto.randomUUID`, which browsers lack on pages served over plain HTTP. */
export function newId(): string {
  return uuidV7(Date.now(), () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32);
}
