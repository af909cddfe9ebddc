import type { ObjectRef } from "../../model/object-ref.ts";
import type { Trigger } from "../../model/run.ts";

const ROUTE = "route/";
const TABLE = "table/";

/** What a key of the route loop stands for. Names of Nodes contain no slash. */
export type Subject =
  | { readonly kind: "node"; readonly name: string }
  | { readonly kind: "route"; readonly id: string }
  | { readonly kind: "table"; readonly id: string };

/** Returns the key of a route of ours that belongs to no known Node. */
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

/** Routes have no UID in the cluster, so their ids are used instead. */
export function routeRef(id: string): ObjectRef {
  return { kind: "Route", name: id, uid: id };
}

export function tableRef(id: string): ObjectRef {
  return { kind: "RouteTable", name: id, uid: id };
}

/** The part of a Node that a user changes: its hold was set, changed or released. */
export const HOLD = "hold";

/** `parts`: the parts of the Node that have changed. */
export function changeOf(parts: readonly string[]): Trigger {
  return { kind: "change", what: parts.join(SEPARATOR) };
}

export function changesHold(trigger: Trigger): boolean {
  return trigger.kind === "change" && trigger.what.split(SEPARATOR).includes(HOLD);
}

const SEPARATOR = ", ";
