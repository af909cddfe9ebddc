import type { Intent } from "../../model/intent.ts";
import { eventMessage } from "../../model/sentence.ts";
import { isControlWish, type Wish } from "../../model/wish.ts";
import { reasonOfError } from "../failure.ts";
import type { IntentReport } from "../ports.ts";
import { carryOutControlWish } from "./carry-out-control-wish.ts";
import { carryOutObjectWish } from "./carry-out-object-wish.ts";
import { carryOutRetry } from "./carry-out-retry.ts";
import { type IntentWork, NoAnswer, rejected } from "./intent-work.ts";

/** Does what an intent asks; undefined when this leader's time ended first, so that the next one takes it over. */
export async function carryOut(work: IntentWork): Promise<IntentReport | undefined> {
  const { intent, clock, signal } = work;
  const refusal = whyNot(intent, clock.now());
  if (refusal !== undefined) return rejected(refusal);
  try {
    return await carryOutWish(work, intent.wish);
  } catch (error) {
    if (signal.aborted) return undefined;
    const result = error instanceof NoAnswer ? error.message : eventMessage(reasonOfError(error));
    return { state: "failed", result };
  }
}

function carryOutWish(work: IntentWork, wish: Wish): Promise<IntentReport | undefined> {
  if (isControlWish(wish)) return carryOutControlWish(work, wish);
  if (wish.kind === "retry" && wish.controllers !== undefined) {
    return carryOutRetry(work, wish.controllers);
  }
  return carryOutObjectWish(work, wish);
}

/** The kind is what the person's role was checked for, so nothing else may be carried out under its name. */
function whyNot({ kind, wish }: Intent, now: number): string | undefined {
  if (kind !== "preview" && kind !== wish.kind) {
    return `The request is for ${kind}, but its action is ${wish.kind}; try again.`;
  }
  if ("until" in wish && wish.until <= now) {
    return "The chosen end has already passed; choose another one and try again.";
  }
  return undefined;
}
