import type { Json } from "@cloudwright/core/model/values/json";
import { internalError } from "../http/api-error.ts";
import type { ListMerge } from "../schema/schema.ts";
import { isList, isObject } from "./merge-patch.ts";

export interface OrderedPatch {
  /** The items of the patch. */
  readonly items: readonly Json[];
  /** `$setElementOrder` for them. */
  readonly order: readonly Json[];
}

/** Checks upstream's rule: a patch's items must be in its order list, in the same order. Throws ApiError 500, as upstream. */
export function checkElementOrder({ items, order }: OrderedPatch, merge: ListMerge): void {
  if (merge === "replace" || items.length === 0 || order.length === 0) return;
  const wanted = items.filter((item) => !isDirective(item));
  let place = 0;
  for (const item of wanted) {
    while (place < order.length && !isSame(item, order[place], merge)) place += 1;
    if (place === order.length) {
      throw internalError(
        `The order in patch list:\n${shown(items)}\n doesn't match $setElementOrder list:\n${shown(order)}\n`,
      );
    }
    place += 1;
  }
}

function isDirective(item: Json): boolean {
  return isObject(item) && item.$patch !== undefined;
}

function isSame(item: Json, other: Json | undefined, merge: ListMerge): boolean {
  return typeof merge === "object"
    ? isObject(item) && isObject(other) && item[merge.key] === other[merge.key]
    : item === other;
}

/** Returns a value as Go prints it, as in upstream's message. */
function shown(value: Json | undefined): string {
  if (isList(value)) return `[${value.map(shown).join(" ")}]`;
  if (!isObject(value)) return value === null ? "<nil>" : String(value);
  const keys = Object.keys(value).sort((left, right) => (left < right ? -1 : 1));
  return `map[${keys.map((key) => `${key}:${shown(value[key])}`).join(" ")}]`;
}
