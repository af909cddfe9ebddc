import { z } from "zod/mini";
import { type ControllerName, controllerOf } from "./controller-names.ts";
import { currentLanguage } from "./language/text.ts";
import { CLOUD_REASONS } from "./reasons/cloud.ts";
import type {
  AskedDefinition,
  Depth,
  Fact,
  Facts,
  Fault,
  GivenState,
  Severity,
  TimeLabels,
} from "./reasons/define.ts";
import { ENGINE_REASONS, OTHER_REASON } from "./reasons/engine.ts";
import { IPAM_REASONS } from "./reasons/ipam.ts";
import { KUBERNETES_REASONS } from "./reasons/kubernetes.ts";
import { LIFECYCLE_REASONS } from "./reasons/lifecycle.ts";
import { LOAD_BALANCER_REASONS } from "./reasons/load-balancer.ts";
import { NODE_REASONS } from "./reasons/node.ts";
import { ROUTE_REASONS } from "./reasons/route.ts";
import { VOLUME_REASONS } from "./reasons/volume.ts";

export type { Facts };

/** Every reason, by domain; docs/reasons.md is generated from this. */
export const REASONS = {
  cloud: CLOUD_REASONS,
  kubernetes: KUBERNETES_REASONS,
  node: NODE_REASONS,
  lifecycle: LIFECYCLE_REASONS,
  loadBalancer: LOAD_BALANCER_REASONS,
  route: ROUTE_REASONS,
  podRange: IPAM_REASONS,
  volume: VOLUME_REASONS,
  engine: ENGINE_REASONS,
} as const;

type AnyDefinition = (typeof REASONS)[keyof typeof REASONS][number];

/**
 * Why an object is in its state: a code with typed fields, created where the fact is known and rendered by
 * `sentence.ts`, so that Event, log, page and export say the same (UX.md section 2).
 */
export type Reason = z.output<AnyDefinition["schema"]>;
export type ReasonCode = Reason["code"];
export type ReasonOf<Code extends ReasonCode> = Extract<Reason, { code: Code }>;

type FieldOf<Any> = Any extends Reason ? Exclude<keyof Any, "code"> : never;

/**
 * The fields that identify the failure: reasons of one code that agree in these have the same cause. All other fields
 * belong to one object's failure.
 */
export const CAUSE_FIELDS = [
  "provider",
  "operation",
  "status",
  "by",
  "verb",
  "resource",
  "range",
] as const satisfies readonly FieldOf<Reason>[];

/** A hold of the object, during which nothing is written to it. */
export type Hold = ReasonOf<"HeldByAnnotation">;

type Schema = AnyDefinition["schema"];
const DEFINITIONS: readonly AnyDefinition[] = Object.values(REASONS).flat();
const OTHER: AskedDefinition = OTHER_REASON;
const BY_CODE = new Map<string, AskedDefinition>(DEFINITIONS.map((each) => [each.code, each]));

/** The pattern for the name of a reason that this release does not define. */
export const REASON_NAME = /^[A-Z][A-Za-z0-9]*$/;
export const REASON_CODES: readonly ReasonCode[] = DEFINITIONS.map(({ code }) => code);

/** Reads any reason: one with a code that this release does not know becomes `Other`, with its name and its text. */
export const reasonSchema = z.pipe(
  z.transform(withName),
  z.discriminatedUnion("code", DEFINITIONS.map(({ schema }) => schema) as [Schema, ...Schema[]]),
);

function withName(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("code" in value)) return value;
  const { code: name, ...fields } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || BY_CODE.has(name)) return value;
  const known = [fields.text, fields.message].find((text) => typeof text === "string");
  return { code: "Other", name, text: known ?? textOf(name, fields) } satisfies Reason;
}

function textOf(name: string, fields: object): string {
  const parts = Object.entries(fields).map(([field, value]) => `${field} ${JSON.stringify(value)}`);
  return parts.length === 0 ? name : `${name} (${parts.join(", ")})`;
}

/** Returns the name in rows, Events and exports: the reason's code, or the name that it carries. */
export function reasonName(reason: Reason): string {
  return reason.code === "Other" ? reason.name : reason.code;
}

/** Returns the constant facts about a reason, by its code or name. */
export function factsOf(code: string): Facts {
  return definitionOf(code);
}

/** Returns the codes for which the predicate is true. */
export function codesWhere(is: (facts: Facts) => boolean): readonly ReasonCode[] {
  return DEFINITIONS.filter(is).map(({ code }) => code);
}

/** Returns the cause as the middle of a sentence; `sentence.ts` shortens it. */
export function plainCause(reason: Reason, time: TimeLabels): string {
  const worded = behind(reason) ?? reason;
  return definitionOf(worded.code).cause(worded as never, time);
}

/** Returns the reason behind a refusal's problem, which is recorded in English. */
function behind(reason: Reason): Reason | undefined {
  if (reason.code !== "WishRefused" || reason.behind === undefined) return undefined;
  return currentLanguage() === "en" ? undefined : reasonSchema.safeParse(reason.behind).data;
}

/** Returns what a user can do about it, as a sentence, or "" if nothing is needed. */
export function advice(reason: Reason): string {
  return inViewOf(definitionOf(reason.code).advice, reason) ?? "";
}

/** Returns who can fix the fault, which decides whether the object is stuck at once (DESIGN.md "State"). */
export function faultOf(reason: Reason): Fault {
  return inViewOf(definitionOf(reason.code).fault, reason) ?? "none";
}

export function severityOf(reason: Reason): Severity {
  const severity = faultOf(reason) === "none" ? "info" : "warning";
  return definitionOf(reason.code).severity ?? severity;
}

/**
 * Returns the state into which the reason puts its object whatever the outcome; undefined if outcome and fault
 * decide.
 */
export function stateOf(reason: Reason): GivenState | undefined {
  return inViewOf(definitionOf(reason.code).state, reason);
}

/** Returns the hold if the reason is one; otherwise undefined. */
export function holdIn(reason: Reason): Hold | undefined {
  return reason.code === "HeldByAnnotation" ? reason : undefined;
}

/** Returns how many milliseconds to wait because somebody allows no more calls or names a time; otherwise undefined. */
export function pauseMs(reason: Reason): number | undefined {
  return definitionOf(reason.code).pauseMs?.(reason as never);
}

/**
 * Returns how deep the cause lies. One that any call can have, such as a refusal, lies as deep as its controller's
 * work.
 */
export function depthOf({ code }: Reason, controller: ControllerName): Depth {
  const { depth } = definitionOf(code);
  return depth === "controller" ? controllerOf(controller).depth : depth;
}

function definitionOf(code: string): AskedDefinition {
  return BY_CODE.get(code) ?? OTHER;
}

function inViewOf<Value extends string>(
  fact: Fact<never, Value | undefined> | undefined,
  reason: Reason,
): Value | undefined {
  return typeof fact === "function" ? fact(reason as never) : fact;
}
