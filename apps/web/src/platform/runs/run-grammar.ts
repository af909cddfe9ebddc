import {
  CONTROLLER_NAMES,
  type ControllerName,
  canonicalControllerName,
  controllerOf,
  isControllerName,
} from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { REPORTED_KINDS } from "@cloudwright/core/model/object-ref";
import { REASON_CODES, REASON_NAME } from "@cloudwright/core/model/reason";
import { OUTCOMES } from "@cloudwright/core/model/run";
import type { RunsFilter } from "@cloudwright/store/views/views";
import { requestProblem } from "../../components/evidence/request-parts.ts";

/**
 * The filter language of the Runs page: `controller:node outcome:failed key:w-* calls>10 reason:throttled`. `!` before a word excludes it,
 * and a bare word is part of a key.
 */
export interface ParsedRunFilter {
  readonly filter: RunsFilter;
  readonly terms: readonly Term[];
}

export interface Term {
  readonly text: string;
  readonly problem: string | undefined;
}

type Selection = Omit<RunsFilter, "not" | "from" | "to">;
type Parsed = { readonly selection: Selection } | { readonly problem: string };
type Reader = (value: string) => Parsed;

const TRIGGERS = ["change", "period", "retry", "start", "intent"] as const;
const RUN_OUTCOMES = [...OUTCOMES, "running"] as const;

export function parseRunFilter(text: string): ParsedRunFilter {
  let selected: Selection = {};
  let excluded: Selection = {};
  const terms = words(text).map((word): Term => {
    const negated = word.startsWith("!");
    const parsed = readTerm(negated ? word.slice(1) : word);
    if ("problem" in parsed) return { text: word, problem: parsed.problem };
    if (negated) excluded = merge(excluded, parsed.selection);
    else selected = merge(selected, parsed.selection);
    return { text: word, problem: undefined };
  });
  const not = Object.keys(excluded).length === 0 ? {} : { not: excluded };
  return { filter: { ...selected, ...not }, terms };
}

export function withoutTerm(text: string, term: string): string {
  return words(text)
    .filter((word) => word !== term)
    .join(" ");
}

/** Adds a term, or removes it if it is there. */
export function toggleTerm(text: string, term: string): string {
  return words(text).includes(term) ? withoutTerm(text, term) : [...words(text), term].join(" ");
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function readTerm(term: string): Parsed {
  const calls = /^calls>(\d+)$/.exec(term)?.[1];
  if (calls !== undefined) return { selection: { minCalls: Number(calls) + 1 } };
  const colon = term.indexOf(":");
  if (colon === -1) return { selection: { key: `*${term.replaceAll("*", "")}*` } };
  const name = term.slice(0, colon);
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (reader === undefined) {
    return {
      problem: t`there is no filter ${name}; use ${Object.keys(READERS).join(", ")}, calls>`,
    };
  }
  return reader(term.slice(colon + 1));
}

const READERS: Readonly<Record<string, Reader>> = {
  controller: readController,
  outcome: (value) => readOneOf(value, RUN_OUTCOMES, (outcome) => ({ outcomes: [outcome] })),
  trigger: (value) => readOneOf(value, TRIGGERS, (trigger) => ({ triggers: [trigger] })),
  key: (value) =>
    value === ""
      ? { problem: t`key: needs a name, such as key:w-*` }
      : { selection: { key: value } },
  kind: readKind,
  reason: readReason,
  call: (value) =>
    value === ""
      ? { problem: t`call: needs an operation, such as call:GET+/v1/instances` }
      : { selection: { operation: value.replaceAll("+", " ") } },
  request: readRequest,
};

function readRequest(requestId: string): Parsed {
  const problem = requestProblem(requestId);
  return problem === undefined ? { selection: { requestId } } : { problem };
}

/** Returns the term that selects the runs which made a call of this operation. */
export function callTerm(operation: string): string {
  return `call:${operation.replaceAll(" ", "+")}`;
}

function readKind(value: string): Parsed {
  const known = readOneOf(value, REPORTED_KINDS, (kind) => ({ kind }));
  // A kind of a third-party controller is spelled as in Kubernetes.
  return "problem" in known && KIND_NAME.test(value) ? { selection: { kind: value } } : known;
}

const KIND_NAME = /^[A-Z][A-Za-z0-9]*$/;

function readController(value: string): Parsed {
  const controller =
    canonicalControllerName(value) ??
    CONTROLLER_NAMES.find((name) => shortController(name) === value) ??
    (isControllerName(value) ? value : undefined);
  return controller === undefined
    ? { problem: t`there is no controller ${value}; use ${shortNames()}` }
    : { selection: { controller } };
}

/** Returns the name that a filter may use for a controller: that of its folder. */
export function shortController(name: ControllerName): string {
  return controllerOf(name).folder;
}

function shortNames(): string {
  return CONTROLLER_NAMES.map(shortController).join(", ");
}

function readReason(value: string): Parsed {
  const wanted = value.toLowerCase();
  const exact = REASON_CODES.find((code) => code.toLowerCase() === wanted);
  const close = REASON_CODES.filter((code) => code.toLowerCase().includes(wanted));
  const reason = exact ?? (close.length === 1 ? close[0] : undefined);
  if (reason !== undefined) return { selection: { reason } };
  // A reason of a third-party controller.
  if (close.length === 0 && REASON_NAME.test(value)) return { selection: { reason: value } };
  return close.length === 0 || value === ""
    ? { problem: t`there is no reason ${value}` }
    : { problem: t`several reasons match: ${close.slice(0, 4).join(", ")}` };
}

function readOneOf<Value extends string>(
  value: string,
  allowed: readonly Value[],
  select: (value: Value) => Selection,
): Parsed {
  const wanted = value.toLowerCase();
  const found = allowed.find((candidate) => candidate.toLowerCase() === wanted);
  return found === undefined ? { problem: noneOf(value, allowed) } : { selection: select(found) };
}

function noneOf(value: string, allowed: readonly string[]): string {
  return value === ""
    ? t`it needs one of ${allowed.join(", ")}`
    : t`${value} is not one of ${allowed.join(", ")}`;
}

function merge(left: Selection, right: Selection): Selection {
  return {
    ...left,
    ...right,
    ...joined("outcomes", left.outcomes, right.outcomes),
    ...joined("triggers", left.triggers, right.triggers),
  };
}

function joined<Name extends string, Value>(
  name: Name,
  left: readonly Value[] | undefined,
  right: readonly Value[] | undefined,
): Partial<Record<Name, readonly Value[]>> {
  if (left === undefined && right === undefined) return {};
  const member: Partial<Record<Name, readonly Value[]>> = {};
  member[name] = [...(left ?? []), ...(right ?? [])];
  return member;
}
