import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  type ControllerName,
  canonicalControllerName,
} from "@cloudwright/core/model/controller-names";

/** The words of a `--controllers` list that name no controller, without their `-` (spec/00 §4). */
export function unknownControllers(list: readonly string[]): readonly string[] {
  return list
    .filter((word) => word !== "*")
    .map(unprefixed)
    .filter((word) => canonicalControllerName(word) === undefined);
}

/**
 * The controllers that a `--controllers` list turns on, in the fixed order they start in. For each: the first exact
 * mention wins wherever `*` stands; without one it is on when `*` occurs and it is on by default (spec/00 §4).
 */
export function selectedControllers(list: readonly string[]): readonly ControllerName[] {
  return CONTROLLER_NAMES.filter((name) => isSelected(name, list));
}

function isSelected(name: ControllerName, list: readonly string[]): boolean {
  const mention = list.find(
    (word) => word !== "*" && canonicalControllerName(unprefixed(word)) === name,
  );
  if (mention !== undefined) return !mention.startsWith("-");
  return list.includes("*") && CONTROLLERS[name].enabledByDefault;
}

function unprefixed(word: string): string {
  return word.replace(/^-/, "");
}
