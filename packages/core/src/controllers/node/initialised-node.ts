import type { Node } from "../../kube/client.ts";
import { taintsOf } from "../objects/node-object.ts";
import { annotationsOf, labelsOf } from "../objects/object-meta.ts";
import type { Initialise } from "./changes.ts";

/**
 * The node as the change wants it, to be written as a whole. Undefined where that could undo what others wrote: without a
 * version that guards it, or when the taints are no more what the change was planned from. The status is left out, as a
 * write of the node itself leaves it as it is.
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

/** Null removes. */
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
