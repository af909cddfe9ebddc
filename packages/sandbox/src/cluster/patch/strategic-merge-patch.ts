import type { Json, JsonObject } from "@cloudwright/core/model/values/json";
import { badRequest } from "../http/api-error.ts";
import { anything, type ListMerge, type Schema } from "../schema/schema.ts";
import { checkElementOrder } from "./element-order.ts";
import { arranged, mergeKeyedList, mergeSet } from "./list-merges.ts";
import { defined, isList, isObject } from "./merge-patch.ts";

/**
 * Applies Kubernetes' strategic merge patch: like a merge patch, but lists merge as the schema says, and `$patch`, `$retainKeys`,
 * `$deleteFromPrimitiveList` and `$setElementOrder` direct it. Does not modify its arguments.
 */
export function strategicMergePatch(schema: Schema, target: Json | undefined, patch: Json): Json {
  return mergeValue(schema, target, patch);
}

function mergeValue(schema: Schema, target: Json | undefined, patch: Json): Json {
  if (isObject(patch)) return mergeObject(schema, isObject(target) ? target : {}, patch);
  if (!isList(patch)) return patch;
  // A new list is taken as it is, even if its items share a key.
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
  checkOrders(schema, patch);
  const result = retained(target, patch.$retainKeys);
  for (const [key, value] of Object.entries(defined(patch))) {
    if (value === null) delete result[key];
    else if (!key.startsWith("$")) {
      result[key] = mergeValue(schemaOf(schema, key), result[key], value);
    }
  }
  removeFromSets(result, patch);
  arrangeLists(schema, result, { target, patch });
  return result;
}

function checkOrders(schema: Schema, patch: JsonObject): void {
  for (const [field, items] of Object.entries(patch)) {
    const order = patch[`${ORDER_OF}${field}`];
    if (isList(items) && isList(order)) {
      checkElementOrder({ items, order }, mergeOf(schemaOf(schema, field)));
    }
  }
}

/** Removals from sets are next to the list, under a key that names it. */
function removeFromSets(result: Record<string, Json>, patch: JsonObject): void {
  for (const [key, unwanted] of Object.entries(patch)) {
    const field = key.slice(DELETE_FROM.length);
    const list = result[field];
    if (!key.startsWith(DELETE_FROM) || !isList(unwanted) || !isList(list)) continue;
    result[field] = list.filter((item) => !unwanted.includes(item));
  }
}

interface Merged {
  readonly target: JsonObject;
  readonly patch: JsonObject;
}

/** Orders a merged list by `$setElementOrder`, or else by the patch itself. */
function arrangeLists(
  schema: Schema,
  result: Record<string, Json>,
  { target, patch }: Merged,
): void {
  for (const [field, list] of Object.entries(result)) {
    const order = patch[`${ORDER_OF}${field}`] ?? contentsOf(patch[field]);
    const original = target[field];
    if (isList(list) && isList(order) && isList(original)) {
      result[field] = arranged(list, mergeOf(schemaOf(schema, field)), { order, original });
    }
  }
}

function contentsOf(list: Json | undefined): Json | undefined {
  return isList(list) ? list.filter((item) => !isDirective(item)) : list;
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

/** `$retainKeys` names the members of a union that may stay: every other member is removed before the patch is merged. */
function retained(target: JsonObject, keys: Json | undefined): Record<string, Json> {
  const members = defined(target);
  if (keys === undefined) return members;
  if (!isList(keys)) throw badRequest("invalid patch format of retainKeys");
  return Object.fromEntries(Object.entries(members).filter(([key]) => keys.includes(key)));
}

function withoutDirectives(value: Json): Json {
  if (isList(value)) return value.filter((item) => !isDirective(item)).map(withoutDirectives);
  if (!isObject(value)) return value;
  const members = Object.entries(defined(value)).filter(
    ([key, member]) => !key.startsWith("$") && member !== null,
  );
  return Object.fromEntries(members.map(([key, member]) => [key, withoutDirectives(member)]));
}

/** Reports whether an item is a directive for the list and not part of it. */
function isDirective(item: Json): boolean {
  return isObject(item) && (item.$patch === "delete" || item.$patch === "replace");
}
