import type { Json, JsonObject } from "@cloudwright/core/model/json";
import { badRequest } from "../http/api-error.ts";
import { anything, type ListMerge, type Schema } from "../schema/schema.ts";
import { mergeKeyedList, mergeSet } from "./list-merges.ts";
import { defined, isList, isObject } from "./merge-patch.ts";

/**
 * Kubernetes' strategic merge: as a merge patch, but lists merge as the schema says, and `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList` and `$setElementOrder` direct it. Leaves its arguments as they are.
 */
export function strategicMergePatch(schema: Schema, target: Json | undefined, patch: Json): Json {
  return mergeValue(schema, target, patch);
}

function mergeValue(schema: Schema, target: Json | undefined, patch: Json): Json {
  if (isObject(patch)) return mergeObject(schema, isObject(target) ? target : {}, patch);
  if (!isList(patch)) return patch;
  // A list that is not there yet is taken as it comes, even where its items share a key.
  return isList(target) ? mergeList(schema, target, patch) : withoutDirectives(patch);
}

const DELETE_FROM = "$deleteFromPrimitiveList/";
const ORDER_OF = "$setElementOrder/";

function mergeObject(schema: Schema, target: JsonObject, patch: JsonObject): Json {
  const directive = patch.$patch;
  if (directive === "delete") return {};
  if (directive === "replace") return withoutDirectives(patch);
  if (directive !== undefined && directive !== "merge") {
    throw badRequest(`Unknown patch type found: ${JSON.stringify(directive)}`);
  }
  const result = retained(target, patch.$retainKeys);
  for (const [key, value] of Object.entries(defined(patch))) {
    if (value === null) delete result[key];
    else if (!key.startsWith("$")) {
      result[key] = mergeValue(schemaOf(schema, key), result[key], value);
    }
  }
  return withListDirectives(schema, result, patch);
}

/** Removals from sets and orders of lists stand beside the list, under the key that they direct. */
function withListDirectives(
  schema: Schema,
  result: Record<string, Json>,
  patch: JsonObject,
): Record<string, Json> {
  for (const [key, value] of Object.entries(patch)) {
    if (!isList(value)) continue;
    if (key.startsWith(DELETE_FROM)) removeItems(result, key.slice(DELETE_FROM.length), value);
    if (key.startsWith(ORDER_OF)) {
      const field = key.slice(ORDER_OF.length);
      const list = result[field];
      const merge = mergeOf(schemaOf(schema, field));
      if (isList(list)) result[field] = inOrder(list, value, merge);
    }
  }
  return result;
}

function removeItems(result: Record<string, Json>, field: string, unwanted: readonly Json[]): void {
  const list = result[field];
  if (!isList(list)) return;
  const kept = list.filter((item) => !unwanted.includes(item));
  if (kept.length === 0) delete result[field];
  else result[field] = kept;
}

/** Items that the patch orders go by its order; others keep their place among their neighbours. */
function inOrder(list: readonly Json[], order: readonly Json[], merge: ListMerge): readonly Json[] {
  const idOf = (item: Json) => identity(item, merge);
  const rank = new Map(order.map((item, index) => [idOf(item), index]));
  const ordered = list
    .filter((item) => rank.has(idOf(item)))
    .sort((left, right) => (rank.get(idOf(left)) ?? 0) - (rank.get(idOf(right)) ?? 0));
  const others = list.filter((item) => !rank.has(idOf(item)));
  const place = new Map(list.map((item, index) => [item, index]));
  const result: Json[] = [];
  for (const item of ordered) {
    const mine = place.get(item) ?? 0;
    while (others[0] !== undefined && (place.get(others[0]) ?? 0) < mine) {
      result.push(others.shift() ?? null);
    }
    result.push(item);
  }
  return [...result, ...others];
}

function identity(item: Json, merge: ListMerge): Json | undefined {
  return typeof merge === "object" && isObject(item) ? item[merge.key] : item;
}

function mergeList(schema: Schema, target: readonly Json[], patch: readonly Json[]): Json {
  const merge = mergeOf(schema);
  if (merge === "set") return mergeSet(target, patch);
  if (merge === "replace") return patch.map(withoutDirectives);
  const item = schema.kind === "list" ? schema.item : anything;
  return mergeKeyedList(target, patch, {
    key: merge.key,
    mergeItem: (before, after) => mergeValue(item, before, after),
  });
}

function mergeOf(schema: Schema): ListMerge {
  return schema.kind === "list" ? schema.merge : "replace";
}

function schemaOf(schema: Schema, key: string): Schema {
  if (schema.kind === "struct") return schema.fields[key]?.schema ?? anything;
  return schema.kind === "map" ? schema.item : anything;
}

/** `$retainKeys` names what may stay of a union: every other member goes before the patch is merged. */
function retained(target: JsonObject, keys: Json | undefined): Record<string, Json> {
  const members = defined(target);
  if (keys === undefined) return members;
  if (!isList(keys)) throw badRequest("invalid patch format of retainKeys");
  return Object.fromEntries(Object.entries(members).filter(([key]) => keys.includes(key)));
}

function withoutDirectives(value: Json): Json {
  if (isList(value)) return value.filter((item) => !isRemoval(item)).map(withoutDirectives);
  if (!isObject(value)) return value;
  const members = Object.entries(defined(value)).filter(
    ([key, member]) => !key.startsWith("$") && member !== null,
  );
  return Object.fromEntries(members.map(([key, member]) => [key, withoutDirectives(member)]));
}

function isRemoval(item: Json): boolean {
  return isObject(item) && item.$patch === "delete";
}
