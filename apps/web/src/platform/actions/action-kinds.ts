import { buttonOf } from "@cloudwright/core/model/wish";
import { kindWord, thing, wishTitle } from "../wording/action-title.ts";
import { type ActionChoice, wishOf } from "./action-choice.ts";

export function buttonText(choice: ActionChoice): string {
  const { kind, object, isExtension } = choice;
  return isExtension === true
    ? `Extend ${kind}`
    : buttonOf(wishOf(choice, 0), kindWord(object.kind));
}

/** The dialog's heading: the act and its object. */
export function dialogTitle(choice: ActionChoice): string {
  const { kind, object, isDryRun, isExtension, scope, controller } = choice;
  if (isDryRun === true) return `Dry run of ${thing(object)}`;
  if (isExtension === true) return `Extend the ${kind} of ${thing(object)}`;
  return wishTitle(wishOf(choice, 0), object, scope === "object" ? undefined : controller);
}
