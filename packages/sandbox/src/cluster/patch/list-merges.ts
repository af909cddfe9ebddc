import type { Json, JsonObject } from "@cloudwright/core/model/json";
import { badRequest, internalError } from "../http/api-error.ts";
import { isObject } from "./merge-patch.ts";

/** Scalars: what is new goes behind what is there. */
export function mergeSet(target: readonly Json[], patch: readonly Json[]): readonly Json[] {
  return [...new Set([...target, ...patch])];
}

export interface KeyedMerge {
  readonly key: string;
  readonly mergeItem: (before: Json | undefined, after: Json) => Json;
}

/** Objects told apart by a key: merged into the one that is there, appended, or removed by `$patch: delete`. */
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
