import type { Flag } from "../flag.ts";
import { AUTHENTICATION_FLAGS } from "./authentication.ts";
import { CLOUDWRIGHT_FLAGS } from "./cloudwright.ts";
import { CONTROLLER_FLAGS, GLOBAL_FLAGS } from "./controllers.ts";
import { DEBUGGING_FLAGS } from "./debugging.ts";
import { GENERIC_FLAGS } from "./generic.ts";
import { LOGGING_FLAGS } from "./logging.ts";
import { SERVING_FLAGS, WEBHOOK_FLAGS } from "./serving.ts";

/** Every flag of `cloudwright controller` except --help and --version (spec/00 §5 and DESIGN.md "Parity and beyond"). */
export const FLAGS = {
  ...DEBUGGING_FLAGS,
  ...GENERIC_FLAGS,
  ...CONTROLLER_FLAGS,
  ...SERVING_FLAGS,
  ...WEBHOOK_FLAGS,
  ...AUTHENTICATION_FLAGS,
  ...LOGGING_FLAGS,
  ...GLOBAL_FLAGS,
  ...CLOUDWRIGHT_FLAGS,
};

export type FlagName = keyof typeof FLAGS;

export type FlagValues = {
  readonly [Name in FlagName]: (typeof FLAGS)[Name] extends Flag<infer Value> ? Value : never;
};

export const FLAG_NAMES = Object.keys(FLAGS) as readonly FlagName[];

export function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

/** Returns the definition without its value's type, for code that treats all flags alike. */
export function flagOf(name: FlagName): Flag<unknown> {
  return FLAGS[name] as Flag<unknown>;
}
