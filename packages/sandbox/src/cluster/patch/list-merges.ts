import type { Json, JsonObject } from "@cloudwright/core/model/values/json";
import { badRequest, internalError } from "../http/api-error.ts";
import type { ListMerge } from "../schema/schema.ts";
import { isObject } from "./merge-patch.ts";

/** Merges scalars: appends the new ones. */
export function mergeSet(target: readonly Json[], patch: readonly Json[]): readonly Json[] {
  return [...new Set([...target, ...patch])];
}

export interface KeyedMerge {
  readonly key: string;
  readonly mergeItem: (before: Json | undefined, after: Json) => Json;
}

/** Merges objects that are identified by a key: each is merged into the existing one, appended, or removed by `$patch: delete`. */
export function mergeKeyedList(
  target: readonly Json[],
  patch: readonly Json[],
  merge: KeyedMerge,
): readonly Json[] {
  const items = patch.map(expectObject);
  const contents = items.filter((item) => item.$patch === undefined);
  if (items.some((item) => item.$patch === "replace")) return contents;
  const remaining = items
    .filter((item) => item.$patch === "delete")
    .reduce(
      (list, gone) => list.filter((item) => keyOf(item, merge) !== keyOf(gone, merge)),
      target,
    );
  return contents.reduce((list, item) => mergeOne(list, item, merge), remaining);
}

function mergeOne(list: readonly Json[], item: JsonObject, merge: KeyedMerge): readonly Json[] {
  const key = keyOf(item, merge);
  const at = list.findIndex((candidate) => keyOf(candidate, merge) === key);
  if (at < 0) return [...list, merge.mergeItem(undefined, item)];
  return list.map((candidate, index) =>
    index === at ? merge.mergeItem(candidate, item) : candidate,
  );
}

function keyOf(item: Json, { key }: KeyedMerge): Json {
  const value = isObject(item) ? item[key] : undefined;
  if (value === undefined) {
    throw internalError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
  }
  return value;
}

function expectObject(item: Json): JsonObject {
  if (isObject(item)) return item;
  throw badRequest("cannot merge a list of objects with an item that is none");
}

interface Orders {
  /** The order that the patch requests for its items. */
  readonly order: readonly Json[];
  /** The list before the patch. */
  readonly original: readonly Json[];
}

/**
 * Returns the items that the order names in that order, and the others among them in place: one of these comes before an ordered item if it
 * did so in the original, and after an item that is new.
 */
export function arranged(
  list: readonly Json[],
  merge: ListMerge,
  { order, original }: Orders,
): readonly Json[] {
  if (merge === "replace") return list;
  const rank = placesOf(order, merge);
  const place = placesOf(original, merge);
  const idOf = (item: Json) => identity(item, merge);
  const named = list
    .filter((item) => rank.has(idOf(item)))
    .sort((left, right) => (rank.get(idOf(left)) ?? 0) - (rank.get(idOf(right)) ?? 0));
  const others = list.filter((item) => !rank.has(idOf(item)));
  const result: Json[] = [];
  let next = 0;
  for (const item of named) {
    const mine = place.get(idOf(item)) ?? -1;
    const until = others.findIndex(
      (other, index) => index >= next && (place.get(idOf(other)) ?? 0) > mine,
    );
    const stop = until < 0 ? others.length : until;
    result.push(...others.slice(next, stop), item);
    next = Math.max(next, stop);
  }
  return [...result, ...others.slice(next)];
}

/** Returns the index of each key; for a repeated key (a port for two protocols), the first one. */
function placesOf(list: readonly Json[], merge: ListMerge): ReadonlyMap<Json | undefined, number> {
  return new Map(list.map((item, index) => [identity(item, merge), index] as const).reverse());
}

function identity(item: Json, merge: ListMerge): Json | undefined {
  return typeof merge === "object" && isObject(item) ? item[merge.key] : item;
}
