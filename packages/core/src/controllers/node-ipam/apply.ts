import { type KubeClient, NODES, type Node, type Patch } from "../../kube/client.ts";
import { isKubeError, KubeError } from "../../kube/errors.ts";
import { mayBeDone } from "../../reconcile/failure.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import type { Allocations, PoolUse } from "./allocations.ts";
import type { PodCidrsWrite } from "./changes.ts";

export interface ApplyPorts {
  readonly client: Pick<KubeClient, "patch" | "get">;
  readonly view: Pick<NodeView, "wrote">;
  readonly allocations: Allocations;
}

export interface Write {
  readonly change: PodCidrsWrite;
  readonly node: Node;
}

/** The result of a write: the Node, and how full the cluster's ranges are with it. */
export interface Given {
  readonly node: Node;
  readonly pools: readonly PoolUse[];
}

/**
 * Reserves the blocks, all or none, and writes them to the Node. Throws KubeError; `Conflict` when somebody else was faster,
 * either with the blocks or with the Node.
 *
 * A write whose answer was lost may still take effect: its blocks stay with the Node, which is read at once and, while it has
 * none, is offered the same again. Only a write that was certainly refused frees them (spec/40 IW-2).
 */
export async function givePodCidrs(
  ports: ApplyPorts,
  write: Write,
  run: RunContext,
): Promise<Given> {
  const node = await writtenNode(ports, write, run);
  return { node, pools: ports.allocations.use };
}

async function writtenNode(ports: ApplyPorts, write: Write, run: RunContext): Promise<Node> {
  const { client, view, allocations } = ports;
  const { change, node } = write;
  if (!allocations.reserve(node, change.after.podCIDRs)) throw taken(node);
  try {
    const target = { resource: NODES, name: nameOf(node) };
    const written = await client.patch<Node>(target, patchOf(write), run.kube);
    view.wrote(written);
    allocations.settle(written);
    return written;
  } catch (error) {
    if (mayBeDone(error)) allocations.doubt(uidOf(node));
    const found = await withThem(ports, { write, error }, run);
    if (found !== undefined) return found;
    allocations.release(uidOf(node));
    throw error;
  }
}

/**
 * The API server does not let pod ranges be changed, so that a write never replaces somebody else's; the UID makes it
 * refuse a Node that was registered again under the name.
 */
function patchOf({ change, node }: Write): Patch {
  const { podCIDRs } = change.after;
  const body = {
    metadata: { uid: uidOf(node) },
    spec: { podCIDR: podCIDRs[0], podCIDRs },
  };
  return { kind: "strategic", body };
}

/**
 * After a failed write: returns the Node if it has what was to be written. Throws `Conflict` if it has something else,
 * so that the run observes again.
 */
async function withThem(
  { client, view, allocations }: ApplyPorts,
  { write, error }: { readonly write: Write; readonly error: unknown },
  run: RunContext,
): Promise<Node | undefined> {
  const { change, node } = write;
  const found = isWorthObserving(error) ? await nodeNow(client, node, run) : undefined;
  if (found === undefined || uidOf(found) !== uidOf(node)) return undefined;
  const cidrs = podCidrsOf(found);
  if (cidrs.length === 0) return undefined;
  view.wrote(found);
  allocations.settle(found);
  if (cidrs.join() === change.after.podCIDRs.join()) return found;
  throw taken(node);
}

/** A refusal may mean that the Node has got pod ranges meanwhile; no answer may mean that it has these. */
function isWorthObserving(error: unknown): boolean {
  return mayBeDone(error) || (isKubeError(error) && error.code === "Invalid");
}

/** Undefined when the Node cannot be read: the failed write says more than a failed read. */
async function nodeNow(
  client: Pick<KubeClient, "get">,
  node: Node,
  run: RunContext,
): Promise<Node | undefined> {
  try {
    return await client.get<Node>({ resource: NODES, name: nameOf(node) }, run.kube);
  } catch (error) {
    if (isKubeError(error)) return undefined;
    throw error;
  }
}

function taken(node: Node): KubeError {
  return new KubeError(
    "Conflict",
    "the pod range or the node was assigned elsewhere in the meantime",
    {
      verb: "patch",
      resource: "nodes",
      name: nameOf(node),
    },
  );
}
