import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  type ControllerName,
  canonicalControllerName,
} from "@cloudwright/core/model/controller-names";
import type { FlagValues } from "./definitions/all.ts";

/** The words of a `--controllers` list that name no controller, without their `-` (spec/00 §4). */
export function unknownControllers(list: readonly string[]): readonly string[] {
  return list
    .filter((word) => word !== "*")
    .map(unprefixed)
    .filter((word) => canonicalControllerName(word) === undefined);
}

export type SelectionFlags = Pick<FlagValues, "controllers" | "allocate-node-cidrs">;

/**
 * The controllers that the flags turn on, in the fixed order they start in. For each: the first exact mention in
 * `--controllers` wins wherever `*` stands; without one it is on when `*` occurs and it is on by default (spec/00 §4).
 * Whoever asks for pod ranges by `--allocate-node-cidrs` gets the controller that gives them without naming it.
 */
export function selectedControllers(flags: SelectionFlags): readonly ControllerName[] {
  return CONTROLLER_NAMES.filter((name) => isSelected(name, flags));
}

function isSelected(name: ControllerName, flags: SelectionFlags): boolean {
  const { controllers: list } = flags;
  const mention = list.find(
    (word) => word !== "*" && canonicalControllerName(unprefixed(word)) === name,
  );
  if (mention !== undefined) return !mention.startsWith("-");
  return list.includes("*") && isOnByDefault(name, flags);
}

function isOnByDefault(name: ControllerName, flags: SelectionFlags): boolean {
  if (name === "node-ipam-controller") return flags["allocate-node-cidrs"];
  return CONTROLLERS[name].enabledByDefault;
}

function unprefixed(word: string): string {
  return word.replace(/^-/, "");
}
