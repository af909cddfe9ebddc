import { buttonOf } from "@cloudwright/core/model/actions/action";
import type { SettingChange } from "@cloudwright/core/model/actions/setting-actions";
import { t } from "@cloudwright/core/model/language/text";
import { thing, titleOfAction } from "../wording/action-title.ts";
import { kindWord } from "../wording/kind-words.ts";
import { type ActionChoice, actionOfChoice } from "./action-choice.ts";
import { extensionWords } from "./extension-words.ts";

export function buttonText(choice: ActionChoice): string {
  const { kind, object, isExtension, change } = choice;
  if (change !== undefined && asksForValue(change)) return t`Set`;
  return isExtension === true
    ? extensionWords(kind).button
    : buttonOf(actionOfChoice(choice, 0), kindWord(object.kind));
}

/** Returns the dialog's heading: the action and its object. */
export function dialogTitle(choice: ActionChoice): string {
  const { kind, object, isDryRun, isExtension, scope, controller, change } = choice;
  if (change !== undefined && asksForValue(change)) return t`Change ${`--${change.setting}`}`;
  if (isDryRun === true) return t`Dry run of ${thing(object)}`;
  if (isExtension === true) return extensionWords(kind).title(thing(object));
  return titleOfAction(
    actionOfChoice(choice, 0),
    object,
    scope === "object" ? undefined : controller,
  );
}

/** Reports whether the setting's value is still to be chosen. */
function asksForValue({ from, value, reset }: SettingChange): boolean {
  return reset !== true && from === value;
}
