import type { ObjectRef } from "../../model/object-ref.ts";
import type { Trigger } from "../../model/run.ts";

const ROUTE = "route/";
const TABLE = "table/";

/** What a key of the route loop is about. Names of Nodes have no slash. */
export type Subject =
  | { readonly kind: "node"; readonly name: string }
  | { readonly kind: "route"; readonly id: string }
  | { readonly kind: "table"; readonly id: string };

/** The key of a route of ours that belongs to no Node that we know. */
export function routeKey(id: string): string {
  return `${ROUTE}${id}`;
}

export function tableKey(id: string): string {
  return `${TABLE}${id}`;
}

export function subjectOf(key: string): Subject {
  if (key.startsWith(ROUTE)) return { kind: "route", id: key.slice(ROUTE.length) };
  if (key.startsWith(TABLE)) return { kind: "table", id: key.slice(TABLE.length) };
  return { kind: "node", name: key };
}

export function keyOfObject({ kind, name }: ObjectRef): string {
  if (kind === "Route") return routeKey(name);
  return kind === "RouteTable" ? tableKey(name) : name;
}

/** They have no UID in the cluster: their ids stand for it. */
export function routeRef(id: string): ObjectRef {
  return { kind: "Route", name: id, uid: id };
}

export function tableRef(id: string): ObjectRef {
  return { kind: "RouteTable", name: id, uid: id };
}

/** The part of a Node that a user changes: its hold was set, changed or lifted. */
export const HOLD = "hold";

/** `parts`: what of the Node has changed. */
export function changeOf(parts: readonly string[]): Trigger {
  return { kind: "change", what: parts.join(SEPARATOR) };
}

export function changesHold(trigger: Trigger): boolean {
  return trigger.kind === "change" && trigger.what.split(SEPARATOR).includes(HOLD);
}

const SEPARATOR = ", ";
