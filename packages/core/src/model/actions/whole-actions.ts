import type { ObjectRef } from "../object-ref.ts";
import { consequencesOfSetting, problemOfChange } from "../settings/setting-change.ts";
import { type Action, isSettingAction, plainConsequencesOf, plainProblemOf } from "./action.ts";
import type { PlannedAction } from "./define.ts";

/* What is asked of an action where all that is known of it may be loaded: on a server, in a controller and in its dialog. */

/** Why it cannot be, whatever its object is like now, as a sentence; undefined when it can. */
export function problemOf(action: Action, object: ObjectRef): string | undefined {
  return isSettingAction(action) ? problemOfChange(action, object) : plainProblemOf(action, object);
}

/** What follows from it, one sentence each; undefined where the plan alone says that. */
export function consequencesOf(action: Action, plan: PlannedAction): readonly string[] | undefined {
  return isSettingAction(action)
    ? consequencesOfSetting(action)
    : plainConsequencesOf(action, plan);
}
