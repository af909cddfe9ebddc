import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import { duration, type FlagKind, FlagProblem, oneOf } from "../../flags/kinds.ts";
import { PlainError } from "../../plain-error.ts";

export const PLAN_OUTPUTS = ["text", "json"] as const;
export type PlanOutput = (typeof PLAN_OUTPUTS)[number];

/** What `cloudwright plan` takes beside the controller's flags. */
export interface PlanOptions {
  readonly output: PlanOutput;
  readonly only: OnlyObject | undefined;
  /** How long it may take. */
  readonly timeoutMs: number;
}

export interface OnlyObject {
  readonly kind: string;
  /** `w-1`, or `shop/web` for what has a namespace. */
  readonly name: string;
}

const USUAL_TIMEOUT_MS = 120_000;

const KINDS: { readonly [Name in keyof PlanOptions]: FlagKind<PlanOptions[Name]> } = {
  output: oneOf(PLAN_OUTPUTS),
  only: {
    label: "KIND/NAME",
    parse: parseOnly,
    format: (only) => (only === undefined ? '""' : `${only.kind}/${only.name}`),
  },
  timeoutMs: duration,
};

const OPTION_OF: ReadonlyMap<string, keyof PlanOptions> = new Map([
  ["--output", "output"],
  ["-o", "output"],
  ["--only", "only"],
  ["--timeout", "timeoutMs"],
]);

/** Takes the options of `plan` out of a command line; the rest are the controller's flags. Throws PlainError. */
export function splitPlanOptions(args: readonly string[]): {
  readonly options: PlanOptions;
  readonly rest: readonly string[];
} {
  const options = {
    output: "text" as PlanOutput,
    only: undefined as OnlyObject | undefined,
    timeoutMs: USUAL_TIMEOUT_MS,
  };
  const rest: string[] = [];
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name = "", ...value] = word.split("=");
    const option = OPTION_OF.get(name);
    if (option === undefined) rest.push(word);
    else {
      const text = value.length > 0 ? value.join("=") : words.shift();
      Object.assign(options, { [option]: read(name, KINDS[option], text) });
    }
  }
  return { options, rest };
}

/** Whether it is the object that `--only` names. Kinds are compared in any case. */
export function isIn(only: OnlyObject, object: ObjectRef): boolean {
  return only.kind.toLowerCase() === object.kind.toLowerCase() && only.name === objectName(object);
}

function read(
  name: string,
  kind: Pick<FlagKind<unknown>, "label" | "parse">,
  text: string | undefined,
): unknown {
  if (text === undefined) {
    throw new PlainError(`${name} needs a value: write ${name}=${kind.label}.`);
  }
  try {
    return kind.parse(text);
  } catch (error) {
    if (!(error instanceof FlagProblem)) throw error;
    throw new PlainError(`${name} is "${text}": it ${error.message}.`);
  }
}

function parseOnly(text: string): OnlyObject {
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) {
    throw new FlagProblem("must be a kind and a name, such as Node/w-1 or Service/shop/web");
  }
  return { kind: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** What `cloudwright plan --help` prints. */
export function planHelp(): string {
  return `Prints what the control loops would do to the cluster right now. Reads only: no Lease, no write, no Event, no record.

Usage: cloudwright plan --cloud-provider=NAME [controller flags] [flags]

      --only KIND/NAME
            only this object, such as Node/w-1 or Service/shop/web
  -o, --output text|json
            text for humans, json for programs; docs/plan.md describes the JSON (default text)
      --timeout duration
            how long planning may take (default 2m0s)
  -h, --help
            show this help

The controller's flags are those of cloudwright controller --help; those of election, serving and the ledger have no effect.

Exit codes: 0 nothing would be done, 2 something would, 1 it could not be told.
`;
}
