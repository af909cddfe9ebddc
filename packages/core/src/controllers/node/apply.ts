import type { KubeClient, Node, Patch, Target } from "../../kube/client.ts";
import { NODES } from "../../kube/client.ts";
import { isKubeError, type KubeErrorCode } from "../../kube/errors.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import type { PatchOperation } from "../objects/json-patch.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import {
  holdPatch,
  overrideEndPatch,
  overridePatch,
  releasePatch,
} from "./actions/apply-action.ts";
import type { AddressesWrite, Initialise, LabelsWrite, NodeChange } from "./changes.ts";
import { initialisedNode } from "./initialised-node.ts";
import { annotationsTest, memberOperations, taintOperations, uidTest } from "./patch-parts.ts";

/** The API calls that a change of a node may need. */
export type NodeWriter = Pick<KubeClient, "patch" | "update">;

/**
 * Makes one write and returns the resulting node. `node` is its newest known version. Throws KubeError; `Conflict`
 * when somebody else was faster.
 */
export async function applyNodeChange(
  client: NodeWriter,
  write: { readonly change: NodeChange; readonly node: Node },
  run: RunContext,
): Promise<Node> {
  const { change, node } = write;
  const target = targetOf(change, node);
  const whole = change.kind === "node.initialise" ? initialisedNode(node, change) : undefined;
  const replaced = whole && (await replace(client, { target, whole }, run));
  return replaced ?? client.patch<Node>(target, patchOf(change, node), run.kube);
}

/**
 * Replacing a whole object costs the API server a sixth less than a patch, and nodes come in thousands (docs/speed.md).
 * Returns undefined when anything about the node has changed meanwhile, as a patch checks only the fields that it
 * touches, and when the role allows only patches.
 */
async function replace(
  client: NodeWriter,
  { target, whole }: { readonly target: Target; readonly whole: Node },
  run: RunContext,
): Promise<Node | undefined> {
  try {
    return await client.update<Node>(target, whole, run.kube);
  } catch (error) {
    if (isKubeError(error) && MAY_BE_PATCHED.has(error.code)) return undefined;
    throw error;
  }
}

const MAY_BE_PATCHED: ReadonlySet<KubeErrorCode> = new Set(["Conflict", "Forbidden"]);

function targetOf(change: NodeChange, node: Node): Target {
  const target = { resource: NODES, name: nameOf(node) };
  return change.kind === "node.addresses.write" ? { ...target, subresource: "status" } : target;
}

function patchOf(change: NodeChange, node: Node): Patch {
  switch (change.kind) {
    case "node.addresses.write":
      return { kind: "strategic", body: addressesPatch(change, node) };
    case "node.initialise":
      return { kind: "json", body: initialisePatch(change, node) };
    case "node.labels.write":
      return { kind: "merge", body: labelsPatch(change, node) };
    case "node.hold":
      return { kind: "merge", body: holdPatch(change, node) };
    case "node.release":
      return { kind: "merge", body: releasePatch(node) };
    case "node.override":
      return { kind: "json", body: overridePatch(change, node) };
    case "node.override-end":
      return { kind: "json", body: overrideEndPatch(change, node) };
  }
}

/**
 * The list's merge key is the type, which may occur several times: the marker replaces the whole list. The UID makes
 * the API server refuse the write if the node was registered again.
 */
function addressesPatch({ before, after }: AddressesWrite, node: Node): unknown {
  const marker = before.addresses.length === 0 ? [] : [{ $patch: "replace" }];
  return {
    metadata: { uid: uidOf(node) },
    status: { addresses: [...after.addresses, ...marker] },
  };
}

/**
 * No concurrent edit of the taints is lost, and no node that was held just now loses its taint; kubelets' status writes do not
 * matter.
 */
function initialisePatch({ before, after }: Initialise, node: Node): readonly PatchOperation[] {
  const providerID =
    before.providerID === null && after.providerID !== null
      ? [{ op: "add", path: "/spec/providerID", value: after.providerID } as const]
      : [];
  return [
    uidTest(node),
    ...annotationsTest(node),
    ...taintOperations(node, before.taints, after.taints),
    ...providerID,
    ...memberOperations(node, "labels", after.labels),
    ...memberOperations(node, "annotations", after.annotations),
  ];
}

function labelsPatch({ after }: LabelsWrite, node: Node): unknown {
  const { labels, annotations } = after;
  return { metadata: { uid: uidOf(node), labels, annotations } };
}
