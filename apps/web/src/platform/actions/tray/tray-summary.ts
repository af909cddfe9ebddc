import { type Intent, type IntentState, isFinal } from "@cloudwright/core/model/actions/intent";
import { resultInWords } from "@cloudwright/core/model/actions/intent-result";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { INTENT_PRESENTATION } from "../../../components/presentation/outcomes.ts";
import { stateWord } from "../state-words.ts";

export interface TraySummary {
  /** The state that represents all of them: that of one that is not over, otherwise the worst end. */
  readonly state: IntentState;
  readonly text: string;
  /** Over, with the intended result. */
  readonly isSettled: boolean;
}

const WORST_FIRST: readonly IntentState[] = [
  ...(["failed", "rejected", "expired", "cancelled"] as const),
  "verified",
];

/** Summarizes actions that were requested together; undefined while none of them is known. */
export function traySummary(
  intents: readonly Intent[],
  requested: number,
): TraySummary | undefined {
  const [first] = intents;
  if (first === undefined) return undefined;
  const unknown = requested - intents.length;
  const isSettled =
    unknown === 0 && intents.every(({ state }) => state === "verified" || state === "cancelled");
  const text = requested === 1 ? resultText(first) : countsText(intents, unknown);
  return { state: stateOf(intents, unknown), isSettled, text };
}

/** Returns the result of one action. If several loops have lines of their own, it only says how each ended. */
export function resultText(intent: Intent): string {
  const { state, loops = [] } = intent;
  if (loops.length < 2) return resultInWords(intent) ?? INTENT_PRESENTATION[state].help;
  return loops
    .map(({ controller, state: own }) => {
      return t`${controllerOf(controller).label}: ${stateWord(own)}`;
    })
    .join(", ");
}

/** An action that is not known yet may not be over either. */
function stateOf(intents: readonly Intent[], unknown: number): IntentState {
  const open = intents.find(({ state }) => !isFinal(state));
  if (open !== undefined) return open.state;
  if (unknown > 0) return "requested";
  const states = new Set(intents.map(({ state }) => state));
  return WORST_FIRST.find((state) => states.has(state)) ?? "verified";
}

/** Returns `10 verified, 2 rejected`; `unknown` is the number not read yet. */
function countsText(intents: readonly Intent[], unknown: number): string {
  const counts = new Map<IntentState, number>();
  for (const { state } of intents) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [
    ...[...counts].map(([state, count]) => t`${count} ${stateWord(state)}`),
    ...(unknown === 0 ? [] : [t`${unknown} not known`]),
  ].join(", ");
}
