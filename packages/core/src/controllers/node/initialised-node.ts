import type { Node } from "../../kube/client.ts";
import { taintsOf } from "../objects/node-object.ts";
import { annotationsOf, labelsOf } from "../objects/object-meta.ts";
import type { Initialise } from "./changes.ts";

/**
 * Returns the node as the change wants it, to be written as a whole. Undefined if that could undo what others wrote:
 * without a version to guard the write, or when the taints are no longer those that the change was planned from. The
 * status is left out, as a write of the node itself does not touch it.
 */
export function initialisedNode(node: Node, { before, after }: Initialise): Node | undefined {
  const { metadata, spec } = node;
  if (!metadata?.resourceVersion || !metadata.uid) return undefined;
  if (JSON.stringify(taintsOf(node)) !== JSON.stringify(before.taints)) return undefined;
  const providerID = before.providerID === null ? after.providerID : null;
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      ...metadata,
      labels: merged(labelsOf(node), after.labels),
      annotations: merged(annotationsOf(node), after.annotations),
    },
    spec: { ...spec, taints: [...after.taints], ...(providerID === null ? {} : { providerID }) },
  };
}

/** Null removes a key. */
function merged(
  current: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const set: Record<string, string> = { ...current };
  for (const [key, value] of Object.entries(wanted)) {
    if (value === null) delete set[key];
    else set[key] = value;
  }
  return set;
}
