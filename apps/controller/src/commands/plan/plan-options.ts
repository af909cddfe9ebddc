import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import { duration, FlagProblem, oneOf } from "../../flags/kinds.ts";
import { type OwnKinds, splitOwnOptions } from "../terminal/own-options.ts";

const PLAN_OUTPUTS = ["text", "json"] as const;
export type PlanOutput = (typeof PLAN_OUTPUTS)[number];

/** What `cloudwright plan` takes in addition to the controller's flags. */
export interface PlanOptions {
  readonly output: PlanOutput;
  readonly only: OnlyObject | undefined;
  /** The time limit. */
  readonly timeoutMs: number;
}

export interface OnlyObject {
  readonly kind: string;
  /** `w-1`, or `shop/web` for namespaced objects. */
  readonly name: string;
}

const USUAL_TIMEOUT_MS = 120_000;

const KINDS: OwnKinds<PlanOptions> = {
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

/** Separates the options of `plan` from the controller's flags. Throws PlainError. */
export function splitPlanOptions(args: readonly string[]): {
  readonly options: PlanOptions;
  readonly rest: readonly string[];
} {
  const { options, rest } = splitOwnOptions<PlanOptions>(args, KINDS, OPTION_OF);
  return {
    options: { output: "text", only: undefined, timeoutMs: USUAL_TIMEOUT_MS, ...options },
    rest,
  };
}

/** Reports whether this is the object that `--only` names. Kinds are compared case-insensitively. */
export function isIn(only: OnlyObject, object: ObjectRef): boolean {
  return only.kind.toLowerCase() === object.kind.toLowerCase() && only.name === objectName(object);
}

function parseOnly(text: string): OnlyObject {
  const slash = text.indexOf("/");
  if (slash < 1 || slash === text.length - 1) {
    throw new FlagProblem("must be a kind and a name, such as Node/w-1 or Service/shop/web");
  }
  return { kind: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Returns the text of `cloudwright plan --help`. */
export function planHelp(): string {
  return `Prints what the control loops would do to the cluster right now. Only reads: no Lease, no write, no Event, no record.

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

Exit codes: 0 nothing would be done, 2 something would, 1 planning failed.
`;
}
