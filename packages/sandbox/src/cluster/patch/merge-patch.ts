import type { Json, JsonObject } from "@cloudwright/core/model/values/json";

/** Applies RFC 7396: null removes, objects merge, everything else replaces. Does not modify its arguments. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const result: Record<string, Json> = isObject(target) ? defined(target) : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns a mutable copy without undefined members. */
export function defined(object: JsonObject): Record<string, Json> {
  const copy: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value !== undefined) copy[key] = value;
  }
  return copy;
}
