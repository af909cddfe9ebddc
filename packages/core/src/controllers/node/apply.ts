import type { KubeClient, Node, Patch, Target } from "../../kube/client.ts";
import { NODES } from "../../kube/client.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { jsonPointer, type PatchOperation } from "../json-patch.ts";
import { annotationsOf, labelsOf, nameOf, uidOf, valueAt } from "../node-object.ts";
import type { AddressesWrite, Initialise, LabelsPart, LabelsWrite, NodeChange } from "./changes.ts";

/**
 * Makes one write and answers with the node that came of it. `node` is its newest known view. Throws KubeError;
 * `Conflict` when somebody was faster.
 */
export function applyNodeChange(
  client: Pick<KubeClient, "patch">,
  write: { readonly change: NodeChange; readonly node: Node },
  run: RunContext,
): Promise<Node> {
  const { change, node } = write;
  return client.patch<Node>(targetOf(change, node), patchOf(change, node), run.kube);
}

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
  }
}

/**
 * The list's merge key is the type, of which there may be several: the marker replaces it as a whole. The UID refuses
 * the write on a node that was registered anew.
 */
function addressesPatch({ before, after }: AddressesWrite, node: Node): unknown {
  const marker = before.addresses.length === 0 ? [] : [{ $patch: "replace" }];
  return {
    metadata: { uid: uidOf(node) },
    status: { addresses: [...after.addresses, ...marker] },
  };
}

/** Tests the taints, so that nobody's concurrent edit of them is lost; kubelets' status writes do not matter to it. */
function initialisePatch({ before, after }: Initialise, node: Node): readonly PatchOperation[] {
  const providerID =
    before.providerID === null && after.providerID !== null
      ? [{ op: "add", path: "/spec/providerID", value: after.providerID } as const]
      : [];
  return [
    { op: "test", path: "/metadata/uid", value: uidOf(node) },
    { op: "test", path: "/spec/taints", value: before.taints },
    ...versionTest(node),
    after.taints.length === 0
      ? { op: "remove", path: "/spec/taints" }
      : { op: "replace", path: "/spec/taints", value: after.taints },
    ...providerID,
    ...memberOperations("labels", labelsOf(node), after.labels),
    ...memberOperations("annotations", annotationsOf(node), after.annotations),
  ];
}

/** Making a first label or annotation makes their map, which would wipe one that somebody made just now. */
function versionTest(node: Node): readonly PatchOperation[] {
  if (!isEmpty(labelsOf(node)) && !isEmpty(annotationsOf(node))) return [];
  return [
    { op: "test", path: "/metadata/resourceVersion", value: node.metadata?.resourceVersion ?? "" },
  ];
}

function memberOperations(
  map: "labels" | "annotations",
  current: Readonly<Record<string, string>>,
  wanted: LabelsPart["labels"],
): readonly PatchOperation[] {
  const container: readonly PatchOperation[] = isEmpty(current)
    ? [{ op: "add", path: jsonPointer("metadata", map), value: {} }]
    : [];
  const members = Object.entries(wanted)
    .filter(([key, value]) => valueAt(current, key) !== value)
    .map(([key, value]): PatchOperation => {
      const path = jsonPointer("metadata", map, key);
      return value === null ? { op: "remove", path } : { op: "add", path, value };
    });
  return members.length === 0 ? [] : [...container, ...members];
}

function isEmpty(map: Readonly<Record<string, string>>): boolean {
  return Object.keys(map).length === 0;
}

function labelsPatch({ after }: LabelsWrite, node: Node): unknown {
  const { labels, annotations } = after;
  return { metadata: { uid: uidOf(node), labels, annotations } };
}
