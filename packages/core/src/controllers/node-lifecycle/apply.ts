import { type KubeClient, NODES, type Node, type Patch } from "../../kube/client.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { NodeDelete, ShutdownTaintWrite } from "./changes.ts";

/** Writes the taints and answers with the node that came of it. Throws KubeError, `Conflict` when they had changed. */
export function writeTaints(
  client: Pick<KubeClient, "patch">,
  write: { readonly change: ShutdownTaintWrite; readonly node: Node },
  run: RunContext,
): Promise<Node> {
  const { change, node } = write;
  const target = { resource: NODES, name: nameOf(node) };
  return client.patch<Node>(target, taintsPatch(change, node), run.kube);
}

/**
 * Deletes the node as it was judged. Throws KubeError, `Conflict` for one that was registered anew under its name, and for
 * one that changed meanwhile: it may be Ready or held by now.
 */
export async function deleteNode(
  client: Pick<KubeClient, "delete">,
  write: { readonly change: NodeDelete; readonly node: Node },
  run: RunContext,
): Promise<void> {
  const { change, node } = write;
  const target = { resource: NODES, name: change.target.name };
  const { resourceVersion } = node.metadata ?? {};
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  await client.delete(target, { uid: change.before.uid, ...version }, run.kube);
}

/** The test keeps a concurrent edit of the taints from being lost; a list that is not there yet cannot be tested. */
function taintsPatch({ before, after }: ShutdownTaintWrite, node: Node): Patch {
  if (before.taints.length === 0) {
    const { uid, resourceVersion } = node.metadata ?? {};
    return {
      kind: "merge",
      body: { metadata: { uid, resourceVersion }, spec: { taints: after.taints } },
    };
  }
  return {
    kind: "json",
    body: [
      { op: "test", path: "/metadata/uid", value: uidOf(node) },
      { op: "test", path: "/spec/taints", value: before.taints },
      after.taints.length === 0
        ? { op: "remove", path: "/spec/taints" }
        : { op: "replace", path: "/spec/taints", value: after.taints },
    ],
  };
}
