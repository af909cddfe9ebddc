import type { Node } from "../../kube/client.ts";
import type { RunContext } from "../../reconcile/reconciler.ts";
import { isDeleting, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import type { Allocations } from "./allocations.ts";
import { cidrsOfNode } from "./judge-cidrs.ts";
import type { IpamObserved } from "./observed.ts";

export interface IpamPorts {
  readonly view: Pick<NodeView, "get">;
  readonly allocations: Allocations;
  /** Resolves when the allocations cover all Nodes; nothing is offered before. */
  readonly known: Promise<void>;
}

/** Reads the Node from the cache, and what the allocations say of its pod ranges or offer it. */
export async function observeIpam(
  { view, allocations, known }: IpamPorts,
  key: string,
  run: Pick<RunContext, "signal">,
): Promise<IpamObserved | undefined> {
  await unlessAborted(known, run.signal);
  const node = view.get(key);
  if (node === undefined) return undefined;
  const isWithout = podCidrsOf(node).length === 0;
  return {
    node,
    pools: allocations.use,
    problems: allocations.problemsOf(node),
    lacking: isWithout ? [] : rangesLackedBy(node, allocations),
    offer: isWithout && !isDeleting(node) ? allocations.offerTo(uidOf(node)) : undefined,
  };
}

function rangesLackedBy(node: Node, { pools }: Allocations): readonly string[] {
  const cidrs = cidrsOfNode(node);
  return pools
    .filter(({ range }) => !cidrs.some((cidr) => cidr.family === range.family))
    .map(({ name }) => name);
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let end = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
