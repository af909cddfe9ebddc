import type { ControllerModule } from "@cloudwright/core/controllers/controller-module";
import { MODULES as CONTROLLER_MODULES } from "@cloudwright/core/controllers/modules";
import {
  type ControllerName,
  canonicalControllerName,
} from "@cloudwright/core/model/controller-names";
import type { FlagValues } from "./flags/definitions/all.ts";

export type Module = ControllerModule<FlagValues>;

/** The controllers of this process, in the order they start in. */
export const MODULES: readonly Module[] = CONTROLLER_MODULES;

export const MODULE_NAMES: readonly ControllerName[] = MODULES.map(({ name }) => name);

/** Throws for a name that none has. */
export function moduleOf(name: ControllerName): Module {
  const found = MODULES.find((module) => module.name === name);
  if (found === undefined) throw new Error(`There is no controller ${name}.`);
  return found;
}

/** The controller that a name or one of upstream's frozen aliases means, or undefined. */
export function nameMeantBy(word: string): ControllerName | undefined {
  return canonicalControllerName(word) ?? MODULE_NAMES.find((name) => name === word);
}
