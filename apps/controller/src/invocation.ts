import { basename } from "node:path";
import { isFlagName } from "./flags/definitions/all.ts";
import { splitArguments } from "./flags/split-arguments.ts";

/** How this process was started, as Node reports it. */
export interface Started {
  /** The first word of the command line as the kernel received it: `exec -a NAME node …`. */
  readonly argv0: string;
  /** The program file as it was called, with links not resolved. */
  readonly program: string;
  /** Everything after the program. */
  readonly args: readonly string[];
}

export type Invocation =
  | { readonly kind: "command"; readonly args: readonly string[] }
  /** A sentence that says what is missing. */
  | { readonly kind: "refused"; readonly problem: string };

/** The name of upstream's binary. */
const UPSTREAM_NAME = "cloud-controller-manager";

/**
 * Finds the command to run. Under upstream's name, flags without a subcommand belong to the controller, so that upstream's
 * manifests start it unchanged. Under any other name, a controller flag without the subcommand is refused.
 */
export function invocationOf({ argv0, program, args }: Started): Invocation {
  const [first] = args;
  const isBare = first === undefined || first.startsWith("-");
  if (isBare && [argv0, program].some((each) => basename(each) === UPSTREAM_NAME)) {
    return { kind: "command", args: ["controller", ...args] };
  }
  const flag = first === undefined ? undefined : controllerFlag(first);
  if (flag === undefined) return { kind: "command", args };
  return {
    kind: "refused",
    problem: `The sub-command is missing: ${flag} is a flag of the controller, so write cloudwright controller ${flag}… or start this program under the name ${UPSTREAM_NAME}.`,
  };
}

/** Returns the flag without its value, or undefined if the word is not a flag of the controller. */
function controllerFlag(word: string): string | undefined {
  const name = splitArguments([word], () => true).flags[0]?.name;
  if (name === undefined || !isFlagName(name)) return undefined;
  return name.length === 1 ? `-${name}` : `--${name}`;
}
