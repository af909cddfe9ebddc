import type { Column } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { ageOf } from "./age.ts";

/** The first column of every table except that of events. */
export const nameColumn: Column<ApiObject> = [
  "Name",
  "The object's name, unique within its namespace or, without one, within the cluster.",
  (item) => item.metadata.name ?? "",
];

export const ageColumn: Column<ApiObject> = [
  "Age",
  "How long ago the server created the object.",
  (item, now) => ageOf(item.metadata.creationTimestamp, now),
];

const MOST_SHOWN = 3;

/** Returns the first three items; `none` when there are none. */
export function shortened(items: readonly string[], none: string): string {
  if (items.length === 0) return none;
  const shown = items.slice(0, MOST_SHOWN).join(",");
  const rest = items.length - MOST_SHOWN;
  return rest > 0 ? `${shown} + ${rest} more...` : shown;
}
