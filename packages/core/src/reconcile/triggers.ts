import type { Trigger } from "../model/run.ts";

/** Most urgent first: a user's action names its intent and must not get lost among the others. */
const URGENCY: readonly Trigger["kind"][] = ["intent", "change", "start", "retry", "period"];

/** The trigger that stays when a key became due twice; of two equal ones the earlier. */
export function mostUrgent(earlier: Trigger, later: Trigger): Trigger {
  return URGENCY.indexOf(later.kind) < URGENCY.indexOf(earlier.kind) ? later : earlier;
}
