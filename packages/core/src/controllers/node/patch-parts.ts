import type { Node } from "../../kube/client.ts";
import { jsonPointer, type PatchOperation } from "../objects/json-patch.ts";
import type { Taint } from "../objects/node-object.ts";
import { annotationsOf, labelsOf, uidOf, valueAt } from "../objects/object-meta.ts";

/** Makes the API server refuse the patch if the node was registered again under the name. */
export function uidTest(node: Node): PatchOperation {
  return { op: "test", path: "/metadata/uid", value: uidOf(node) };
}

/**
 * Makes the API server refuse the patch if an annotation was added or removed. If the node had none, its version is
 * tested instead.
 */
export function annotationsTest(node: Node): readonly PatchOperation[] {
  const value = annotationsOf(node);
  if (Object.keys(value).length === 0) return [versionTest(node)];
  return [{ op: "test", path: "/metadata/annotations", value }];
}

/**
 * Writes the taints if they differ, and tests those that were seen, so that no concurrent edit is lost. A list that does not
 * exist yet cannot be tested: the object's version is tested instead.
 */
export function taintOperations(
  node: Node,
  before: readonly Taint[],
  after: readonly Taint[],
): readonly PatchOperation[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const path = "/spec/taints";
  if (before.length === 0) return [versionTest(node), { op: "add", path, value: after }];
  const write: PatchOperation =
    after.length === 0 ? { op: "remove", path } : { op: "replace", path, value: after };
  return [{ op: "test", path, value: before }, write];
}

/** Sets and removes labels or annotations; null removes. */
export function memberOperations(
  node: Node,
  map: "labels" | "annotations",
  wanted: Readonly<Record<string, string | null>>,
): readonly PatchOperation[] {
  const current = map === "labels" ? labelsOf(node) : annotationsOf(node);
  const members = Object.entries(wanted)
    .filter(([key, value]) => valueAt(current, key) !== value)
    .map(([key, value]): PatchOperation => {
      const path = jsonPointer("metadata", map, key);
      return value === null ? { op: "remove", path } : { op: "add", path, value };
    });
  if (members.length === 0) return [];
  return Object.keys(current).length > 0 ? members : [...firstOf(node, map), ...members];
}

/** Adding a first label or annotation creates the map, which would wipe out a map that somebody created just now. */
function firstOf(node: Node, map: "labels" | "annotations"): readonly PatchOperation[] {
  return [versionTest(node), { op: "add", path: jsonPointer("metadata", map), value: {} }];
}

function versionTest({ metadata }: Node): PatchOperation {
  return {
    op: "test",
    path: "/metadata/resourceVersion",
    value: metadata?.resourceVersion ?? "",
  };
}
