import type { Intent } from "@cloudwright/core/model/intent";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";

/** What came of an action; of one that is not over, how far it is. */
export function resultText({ state, result }: Pick<Intent, "state" | "result">): string {
  return result ?? INTENT_PRESENTATION[state].help;
}
