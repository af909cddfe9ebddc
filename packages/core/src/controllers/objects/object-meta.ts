import type { KubeObject } from "../../kube/client.ts";

export function nameOf(object: KubeObject): string {
  return object.metadata?.name ?? "";
}

export function uidOf(object: KubeObject): string {
  return object.metadata?.uid ?? "";
}

export function labelsOf(object: KubeObject): Readonly<Record<string, string>> {
  return object.metadata?.labels ?? {};
}

export function annotationsOf(object: KubeObject): Readonly<Record<string, string>> {
  return object.metadata?.annotations ?? {};
}

export function annotationOf(object: KubeObject, key: string): string | undefined {
  return valueAt(annotationsOf(object), key) ?? undefined;
}

/** Returns the value under an own key, otherwise null; names such as `constructor` are keys like any other. */
export function valueAt<Value>(record: Readonly<Record<string, Value>>, key: string): Value | null {
  return Object.hasOwn(record, key) ? (record[key] ?? null) : null;
}

/** Reports whether the object is being deleted but kept by a finalizer. */
export function isDeleting(object: KubeObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

/** Returns milliseconds since the epoch; 0 for an object without a readable time. */
export function createdAtOf(object: KubeObject): number {
  const parsed = Date.parse(object.metadata?.creationTimestamp ?? "");
  return Number.isNaN(parsed) ? 0 : parsed;
}
