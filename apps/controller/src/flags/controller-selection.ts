import {
  CONTROLLER_NAMES,
  CONTROLLERS,
  type ControllerName,
  canonicalControllerName,
} from "@cloudwright/core/model/controller-names";
import type { FlagValues } from "./definitions/all.ts";
import { isSelected, wordsOf } from "./selection.ts";

/** The words of a `--controllers` list that name no controller, without their `-` (spec/00 §4). */
export function unknownControllers(list: readonly string[]): readonly string[] {
  return wordsOf(list).filter((word) => canonicalControllerName(word) === undefined);
}

export type SelectionFlags = Pick<FlagValues, "controllers" | "allocate-node-cidrs">;

/**
 * The controllers that the flags turn on, in the fixed order they start in: by `--controllers` (spec/00 §4). Whoever asks for
 * pod ranges by `--allocate-node-cidrs` gets the controller that gives them without naming it.
 */
export function selectedControllers(flags: SelectionFlags): readonly ControllerName[] {
  return CONTROLLER_NAMES.filter((name) =>
    isSelected(flags.controllers, {
      isMeantBy: (word) => canonicalControllerName(word) === name,
      isOnByDefault: isOnByDefault(name, flags),
    }),
  );
}

function isOnByDefault(name: ControllerName, flags: SelectionFlags): boolean {
  if (name === "node-ipam-controller") return flags["allocate-node-cidrs"];
  return CONTROLLERS[name].enabledByDefault;
}
