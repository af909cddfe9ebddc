import type { Intent } from "@cloudwright/core/model/actions/intent";
import { resultInWords } from "@cloudwright/core/model/actions/intent-result";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";

/** What came of an action; of one that is not over, how far it is. */
export function resultText(intent: Intent): string {
  return resultInWords(intent) ?? INTENT_PRESENTATION[intent.state].help;
}
