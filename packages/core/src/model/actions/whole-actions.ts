import type { ObjectRef } from "../object-ref.ts";
import { consequencesOfSetting, problemOfChange } from "../settings/setting-change.ts";
import { type Action, isSettingAction, plainConsequencesOf, plainProblemOf } from "./action.ts";
import type { PlannedAction } from "./define.ts";

/* Queries on actions for code that may load everything about them: a server, a controller and the action's dialog. */

/** Returns why it is impossible whatever the object's present state, as a sentence; undefined if it is possible. */
export function problemOf(action: Action, object: ObjectRef): string | undefined {
  return isSettingAction(action) ? problemOfChange(action, object) : plainProblemOf(action, object);
}

/** Returns the consequences, one sentence each; undefined if only the plan shows them. */
export function consequencesOf(action: Action, plan: PlannedAction): readonly string[] | undefined {
  return isSettingAction(action)
    ? consequencesOfSetting(action)
    : plainConsequencesOf(action, plan);
}
