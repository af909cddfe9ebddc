import { isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { resultInWords } from "@cloudwright/core/model/actions/intent-result";
import { currentLanguage, t } from "@cloudwright/core/model/language/text";
import { INTENT_PRESENTATION, UNREADABLE } from "../../components/presentation/outcomes.ts";
import type { Presentation } from "../../components/presentation/states.ts";
import { stateWord } from "./state-words.ts";

/** How far an action has come; of one that this release cannot read, that it cannot. */
export function intentPresentation(intent: ListedIntent): Presentation {
  return isReadable(intent) ? INTENT_PRESENTATION[intent.state] : UNREADABLE;
}

/** What came of an action; of one that is not over, how far it is. */
export function listedResult(intent: ListedIntent): string {
  if (isReadable(intent)) return resultInWords(intent) ?? INTENT_PRESENTATION[intent.state].help;
  const { state, result } = intent;
  const word = stateWord(state);
  return result === undefined
    ? t`This release of the dashboard cannot read this action. Its state: ${word}.`
    : t`This release of the dashboard cannot read this action. Its state: ${word}. ${result}`;
}

/** English where what is shown of an action is still what was recorded, as there are no words for it in the language of the page. */
export function resultLanguage(
  shown: string,
  { result }: Pick<ListedIntent, "result">,
): "en" | undefined {
  return shown === result && currentLanguage() !== "en" ? "en" : undefined;
}
