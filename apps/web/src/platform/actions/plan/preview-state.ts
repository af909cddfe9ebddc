import { type Intent, isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { resultInWords } from "@cloudwright/core/model/actions/intent-result";
import { t } from "@cloudwright/core/model/language/text";
import { INTENT_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import { listedResult } from "../listed-intent.ts";
import type { ShownPlan } from "./plan-facts.ts";

/** The state of the plan that a dialog requested. */
export type PreviewState =
  | { readonly kind: "asking" }
  | { readonly kind: "answered"; readonly plan: ShownPlan }
  /** The leader would refuse; the plan is what it would do instead. */
  | { readonly kind: "refused"; readonly sentence: string; readonly plan: ShownPlan | undefined }
  /** There was no answer. */
  | { readonly kind: "failed"; readonly sentence: string };

export function previewState(intent: ListedIntent | undefined): PreviewState {
  if (intent !== undefined && !isReadable(intent)) {
    return { kind: "failed", sentence: listedResult(intent) };
  }
  const { state, preview } = intent ?? {};
  const result = intent === undefined ? "" : (resultInWords(intent) ?? "");
  switch (state) {
    case "verified":
      return preview === undefined
        ? { kind: "failed", sentence: t`The leader's answer contains no plan.` }
        : { kind: "answered", plan: preview };
    case "rejected":
      return { kind: "refused", sentence: result, plan: preview };
    case "failed":
    case "expired":
    case "cancelled":
      return { kind: "failed", sentence: result };
    default:
      return { kind: "asking" };
  }
}

export type ConfirmationState =
  /** Nobody has confirmed the plan shown yet. */
  | { readonly kind: "open" }
  | { readonly kind: "waiting"; readonly intent: Intent | undefined }
  /** The leader writes or has written, or the action waits for another user's approval; the dialog can close. */
  | { readonly kind: "accepted" }
  /** The situation has changed: nothing was written, and this is the current plan. */
  | { readonly kind: "moved"; readonly plan: ShownPlan; readonly sentence: string }
  | { readonly kind: "ended"; readonly sentence: string };

/** Returns the progress of a confirmed action as far as its dialog is concerned. */
export function confirmationState(intent: Intent): ConfirmationState {
  const { state, preview, runIds, planHash } = intent;
  switch (state) {
    case "verified":
    case "awaiting-approval":
      return { kind: "accepted" };
    case "running":
      return runIds.length > 0 ? { kind: "accepted" } : { kind: "waiting", intent };
    case "rejected":
      return preview === undefined || preview.planHash === planHash
        ? ended(intent)
        : { kind: "moved", plan: preview, sentence: resultInWords(intent) ?? "" };
    case "failed":
    case "expired":
    case "cancelled":
      return ended(intent);
    default:
      return { kind: "waiting", intent };
  }
}

/** `Failed. The cloud refused …` */
function ended(intent: Intent): ConfirmationState {
  const { label, help } = INTENT_PRESENTATION[intent.state];
  return { kind: "ended", sentence: t`${label}. ${resultInWords(intent) ?? help}` };
}
