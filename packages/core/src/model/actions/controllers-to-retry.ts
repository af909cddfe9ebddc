import { type ControllerName, controllerOf } from "../controller-names.ts";
import { DEPTHS } from "../reasons/define.ts";
import type { State } from "../state.ts";

/** One controller's report on an object. */
export interface ControllerPart {
  readonly controller: ControllerName;
  readonly state: State;
}

/**
 * Returns whose loops a retry of an object addresses: all that are not OK; if there are none, those that are held, so that the
 * answer names the hold; otherwise all. They are ordered so that what others need comes first.
 */
export function controllersToRetry(parts: readonly ControllerPart[]): readonly ControllerName[] {
  const chosen = CHOICES.map((isChosen) => parts.filter(({ state }) => isChosen(state))).find(
    (some) => some.length > 0,
  );
  const names = new Set((chosen ?? []).map(({ controller }) => controller));
  return [...names].sort((left, right) => depthOf(left) - depthOf(right));
}

const NEEDS_NOTHING: ReadonlySet<State> = new Set(["ok", "gone", "held"]);

const CHOICES: readonly ((state: State) => boolean)[] = [
  (state) => !NEEDS_NOTHING.has(state),
  (state) => state === "held",
  () => true,
];

function depthOf(controller: ControllerName): number {
  return DEPTHS.indexOf(controllerOf(controller).depth);
}
