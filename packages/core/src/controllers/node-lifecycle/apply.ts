import { type KubeClient, NODES, type Node, type Patch } from "../../kube/client.ts";
import { isKubeError, KubeError } from "../../kube/errors.ts";
import type { DeletionGuard } from "../../reconcile/deletion-guard.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import type { LifecycleAnswer, NodeDelete, ShutdownTaintWrite } from "./changes.ts";

/** Writes the taints. Throws KubeError, `Conflict` when they had changed. */
export async function writeTaints(
  client: Pick<KubeClient, "patch">,
  { change, node }: { readonly change: ShutdownTaintWrite; readonly node: Node },
  run: RunContext,
): Promise<Node> {
  const target = { resource: NODES, name: nameOf(node) };
  return client.patch<Node>(target, taintsPatch(change, node), run.kube);
}

export interface DeletionPorts {
  readonly client: Pick<KubeClient, "delete">;
  readonly guard?: Pick<DeletionGuard, "take"> | undefined;
}

/**
 * Deletes the node as it was judged, once the guard has counted the deletion. Throws KubeError; `Conflict` if the node was
 * registered again under its name, if it changed meanwhile (it may be Ready or held now), or if the guard's limit was reached
 * meanwhile.
 */
export async function deleteNode(
  { client, guard }: DeletionPorts,
  { change, node }: { readonly change: NodeDelete; readonly node: Node },
  run: RunContext,
): Promise<LifecycleAnswer> {
  const { uid } = change.before;
  const { name } = change.target;
  if (guard !== undefined && !(await guard.take({ name, uid }))) throw limitReached(name);
  const { resourceVersion } = node.metadata ?? {};
  const version = resourceVersion === undefined ? {} : { resourceVersion };
  try {
    await client.delete({ resource: NODES, name }, { uid, ...version }, run.kube);
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound") return { kind: "gone" };
    throw error;
  }
  return { kind: "deleted" };
}

/** Makes the run plan again when the limit was reached since it planned. */
export function limitReached(name: string): KubeError {
  return new KubeError("Conflict", "the deletion guard has reached its limit in the meantime", {
    verb: "delete",
    resource: "nodes",
    name,
  });
}

/** The test keeps a concurrent edit of the taints from being lost; a list that does not exist yet cannot be tested. */
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
