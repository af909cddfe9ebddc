import type { Trigger } from "../model/run.ts";

/** Most urgent first: a user's action names its intent and must not be lost among other triggers. */
const URGENCY: readonly Trigger["kind"][] = ["intent", "change", "start", "retry", "period"];

/** Returns the trigger to keep when a key became due twice; of two equally urgent ones the earlier. */
export function mostUrgent(earlier: Trigger, later: Trigger): Trigger {
  return URGENCY.indexOf(later.kind) < URGENCY.indexOf(earlier.kind) ? later : earlier;
}
