import { isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { resultInWords } from "@cloudwright/core/model/actions/intent-result";
import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import { INTENT_PRESENTATION, UNREADABLE } from "../../components/presentation/outcomes.ts";
import type { Presentation } from "../../components/presentation/states.ts";
import { stateWord } from "./state-words.ts";

/** Presents the state of an action; says so if this release cannot read it. */
export function intentPresentation(intent: ListedIntent): Presentation {
  return isReadable(intent) ? INTENT_PRESENTATION[intent.state] : UNREADABLE;
}

/** Returns the result of an action, or its progress while it is not over. */
export function listedResult(intent: ListedIntent): string {
  if (isReadable(intent)) return resultInWords(intent) ?? INTENT_PRESENTATION[intent.state].help;
  const { state, result } = intent;
  const word = stateWord(state);
  return result === undefined
    ? t`This release of the dashboard cannot read this action. Its state: ${word}.`
    : t`This release of the dashboard cannot read this action. Its state: ${word}. ${result}`;
}

/** Returns English if the shown result is the recorded text, which has no translation in the page's language. */
export function resultLanguage(
  shown: string,
  { result }: Pick<ListedIntent, "result">,
): "en" | undefined {
  return shown === result && currentLanguage() !== "en" ? "en" : undefined;
}
