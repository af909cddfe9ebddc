import type { ControllerModule } from "@cloudwright/core/controllers/controller-module";
import { MODULES as CONTROLLER_MODULES } from "@cloudwright/core/controllers/modules";
import {
  type ControllerName,
  canonicalControllerName,
} from "@cloudwright/core/model/controller-names";
import type { FlagValues } from "./flags/definitions/all.ts";

export type Module = ControllerModule<FlagValues>;

/** The controllers of this process, in the order in which they start. */
export const MODULES: readonly Module[] = CONTROLLER_MODULES;

export const MODULE_NAMES: readonly ControllerName[] = MODULES.map(({ name }) => name);

/** Returns the module of a controller. Throws if there is none of that name. */
export function moduleOf(name: ControllerName): Module {
  const found = MODULES.find((module) => module.name === name);
  if (found === undefined) throw new Error(`There is no controller ${name}.`);
  return found;
}

/** Resolves a controller's name or one of upstream's frozen aliases; undefined for any other word. */
export function nameMeantBy(word: string): ControllerName | undefined {
  return canonicalControllerName(word) ?? MODULE_NAMES.find((name) => name === word);
}
