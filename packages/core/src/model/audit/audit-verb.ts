import { ACTION_KINDS, type ActionKind, actionOf } from "../actions/action.ts";
import type { ObjectRef } from "../object-ref.ts";
import type { KnownAuditAction } from "./audit.ts";

/** How the verbs about each kind of object begin. */
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

/** The verb of an action of a user: `node.hold` for a hold of a Node, whether it was asked for, claimed, made or verified. */
function actionVerb(action: ActionKind, kind: ObjectRef["kind"]): string {
  return actionOf(action).verb.replace("*", familyOf(kind));
}

/** A kind that this release does not know goes by its own name: `namespace.hold`. */
function familyOf(kind: ObjectRef["kind"]): string {
  const known = KINDS.find((one) => one === kind);
  return known === undefined ? kind.toLowerCase() : FAMILIES[known];
}

/** A kind of action on a kind of object. */
export interface VerbUse {
  readonly action: ActionKind;
  readonly kind: Kind;
}

/** Which actions on which objects have a verb that matches; `*` stands for anything. */
export function actionsOfVerb(pattern: string): readonly VerbUse[] {
  return KINDS.flatMap((kind) => ACTION_KINDS.map((action) => ({ action, kind }))).filter(
    ({ action, kind }) => matchesGlob(actionVerb(action, kind), pattern),
  );
}

/** What an entry of an action is about; absent where the entry that asked for it is not there or not understood. */
export interface EntryAction {
  readonly kind: ActionKind;
  readonly isPreview: boolean;
}

/** By what an entry is found and called: its change, or the action of a user that it is part of. */
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

/** Whether an entry is about a request, not about a change. */
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
