import { AUDIT_ACTIONS, AUDIT_RESULTS } from "@cloudwright/core/model/audit/audit";
import { actionsOfVerb } from "@cloudwright/core/model/audit/audit-verb";
import { t } from "@cloudwright/core/model/language/text";
import { requestProblem } from "../../components/evidence/request-parts.ts";
import { VERB_LABELS } from "./audit-verbs.ts";

/** The Audit page's filter without its time; the members are those of the server's filter. */
export interface AuditSelection {
  readonly actorName?: string;
  readonly action?: string;
  readonly object?: { readonly kind?: string; readonly name: string };
  readonly result?: Result;
  readonly runId?: string;
  readonly intentId?: string;
  readonly requestId?: string;
  readonly text?: string;
}

export type Result = (typeof AUDIT_RESULTS)[number];

export interface AuditTerm {
  readonly text: string;
  /** Why the term could not be used; it then filters nothing. */
  readonly problem: string | undefined;
}

type Read = { readonly selection: AuditSelection } | { readonly problem: string };

/**
 * Parses the filter language of the Audit page: `actor:ana action:node.* object:w-9 result:refused`. Text with spaces is quoted; other
 * words are searched for in reasons and names.
 */
export function parseAuditFilter(text: string): {
  readonly selection: AuditSelection;
  readonly terms: readonly AuditTerm[];
} {
  let selection: AuditSelection = {};
  const terms = words(text).map((word): AuditTerm => {
    const read = readTerm(word);
    if ("problem" in read) return { text: word, problem: read.problem };
    selection = merged(selection, read.selection);
    return { text: word, problem: undefined };
  });
  return { selection, terms };
}

export function withoutAuditTerm(text: string, term: string): string {
  return words(text)
    .filter((word) => word !== term)
    .join(" ");
}

/** Replaces other terms of its kind with a term, or removes it if it is there. */
export function toggleAuditTerm(text: string, name: string, value: string): string {
  const term = auditTerm(name, value);
  const others = words(text).filter((word) => !word.startsWith(`${name}:`));
  return (words(text).includes(term) ? others : [...others, term]).join(" ");
}

export function auditTerm(name: string, value: string): string {
  return /\s/.test(value) ? `${name}:"${value}"` : `${name}:${value}`;
}

function words(text: string): readonly string[] {
  return text.match(/(?:[^\s"]+|"[^"]*"?)+/g) ?? [];
}

function readTerm(word: string): Read {
  const colon = word.indexOf(":");
  const name = word.slice(0, Math.max(0, colon));
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (reader === undefined) return { selection: { text: word.replaceAll('"', "") } };
  const value = word.slice(colon + 1).replaceAll('"', "");
  return value === "" ? { problem: t`${name}: needs a value` } : reader(value);
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const READERS: Readonly<Record<string, (value: string) => Read>> = {
  actor: (actorName) => ({ selection: { actorName } }),
  action: readAction,
  object: readObject,
  result: (value) => {
    const result = AUDIT_RESULTS.find((known) => known === value);
    return result === undefined
      ? { problem: t`${value} is not one of ${AUDIT_RESULTS.join(", ")}` }
      : { selection: { result } };
  },
  run: (runId) => readId(runId, { runId }),
  intent: (intentId) => readId(intentId, { intentId }),
  request: (requestId) => {
    const problem = requestProblem(requestId);
    return problem === undefined ? { selection: { requestId } } : { problem };
  },
};

function readAction(action: string): Read {
  const isVerb =
    AUDIT_ACTIONS.some((known) => known === action) || actionsOfVerb(action).length > 0;
  if (isVerb || action.includes("*")) return { selection: { action } };
  const close = Object.keys(VERB_LABELS)
    .filter((candidate) => candidate.includes(action))
    .slice(0, 3);
  return {
    problem:
      close.length === 0
        ? t`there is no action ${action}; try node.* or account.*`
        : t`there is no action ${action}; use ${close.join(", ")}`,
  };
}

/** Reads `w-9` or `shop/web`, or with a kind `Node/w-9`. */
function readObject(value: string): Read {
  const [kind = "", ...rest] = value.split("/");
  const isKind = /^[A-Z][A-Za-z]+$/.test(kind) && rest.length > 0;
  const object = isKind ? { kind, name: rest.join("/") } : { name: value };
  return { selection: { object } };
}

function readId(value: string, selection: AuditSelection): Read {
  return UUID.test(value) ? { selection } : { problem: t`${value} is not an ID` };
}

function merged(left: AuditSelection, right: AuditSelection): AuditSelection {
  if (left.text === undefined || right.text === undefined) return { ...left, ...right };
  return { ...left, ...right, text: `${left.text} ${right.text}` };
}
