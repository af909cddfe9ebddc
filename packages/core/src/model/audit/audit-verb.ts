import { ACTION_KINDS, type ActionKind, actionOf } from "../actions/action.ts";
import type { ObjectRef } from "../object-ref.ts";
import type { KnownAuditAction } from "./audit.ts";

/** The beginning of the verbs for each kind of object. */
const FAMILIES = {
  Node: "node",
  Service: "service",
  LoadBalancer: "balancer",
  PersistentVolume: "volume",
  Route: "route",
  RouteTable: "route-table",
  Controller: "controller",
  Cluster: "cluster",
  User: "account",
} as const;

type Kind = keyof typeof FAMILIES;

const KINDS = Object.keys(FAMILIES) as readonly Kind[];

/**
 * Returns the verb of a user's action: `node.hold` for a hold of a Node, whether it was requested, claimed, made or verified.
 */
function actionVerb(action: ActionKind, kind: ObjectRef["kind"]): string {
  return actionOf(action).verb.replace("*", familyOf(kind));
}

/** A kind that this release does not know is its own family: `namespace.hold`. */
function familyOf(kind: ObjectRef["kind"]): string {
  const known = KINDS.find((one) => one === kind);
  return known === undefined ? kind.toLowerCase() : FAMILIES[known];
}

/** A kind of action on a kind of object. */
export interface VerbUse {
  readonly action: ActionKind;
  readonly kind: Kind;
}

/** Returns which actions on which objects have a matching verb; `*` stands for any text. */
export function actionsOfVerb(pattern: string): readonly VerbUse[] {
  return KINDS.flatMap((kind) => ACTION_KINDS.map((action) => ({ action, kind }))).filter(
    ({ action, kind }) => matchesGlob(actionVerb(action, kind), pattern),
  );
}

/** The action of an entry; absent if the requesting entry is missing or unreadable. */
export interface EntryAction {
  readonly kind: ActionKind;
  readonly isPreview: boolean;
}

/** Returns the verb by which an entry is found and displayed: its change, or the user's action to which it belongs. */
export function verbOfEntry(entry: {
  readonly action: string;
  readonly object?: { readonly kind: string } | undefined;
  readonly intent?: EntryAction | undefined;
}): string {
  const kind = entry.object?.kind;
  if (!isOfAction(entry.action) || entry.intent === undefined || kind === undefined)
    return entry.action;
  return actionVerb(entry.intent.kind, kind);
}

/** Reports whether an entry is about a request rather than a change. */
export function isOfAction(action: string): boolean {
  return ACTION_ENTRIES.some((known) => known === action);
}

export const ACTION_ENTRIES = [
  "intent.request",
  "intent.approve",
  "intent.decline",
  "intent.claim",
  "intent.end",
] as const satisfies readonly KnownAuditAction[];

function matchesGlob(text: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(text);
}
