import type { KubeObject, Node } from "../kube/client.ts";
import type { Informer } from "../kube/informer-port.ts";
import type { ObjectRef } from "../model/object-ref.ts";
import { nameOf, refOf, uidOf } from "./node-object.ts";

const GONE_KEPT = 1_000;

/**
 * The newest known view of each node: the informer's, or the answer to our own last write while the informer lags
 * behind it. Without that a second run would plan from before its own write, and write again.
 */
export interface NodeView {
  get(name: string): Node | undefined;
  /** Remembers the answer to a write. */
  wrote(node: Node): void;
  /** Who a name is or was last. */
  object(name: string): ObjectRef;
}

export function createNodeView(informer: Pick<Informer<Node>, "get">): NodeView {
  const written = new Map<string, Node>();
  const lastKnown = new Map<string, ObjectRef>();

  function get(name: string): Node | undefined {
    const cached = informer.get(name);
    const ours = written.get(name);
    if (ours !== undefined && !isNewer(ours, cached)) written.delete(name);
    const newest = written.get(name) ?? cached;
    remember(name, newest);
    return newest;
  }

  function remember(name: string, node: Node | undefined): void {
    if (node === undefined) return;
    lastKnown.set(name, refOf(node));
  }

  function object(name: string): ObjectRef {
    const node = get(name);
    if (node !== undefined) return refOf(node);
    keepFewOfTheGone();
    return lastKnown.get(name) ?? { kind: "Node", name };
  }

  function keepFewOfTheGone(): void {
    if (lastKnown.size <= GONE_KEPT) return;
    const gone = [...lastKnown.keys()].filter((name) => informer.get(name) === undefined);
    for (const name of gone.slice(0, Math.max(0, gone.length - GONE_KEPT))) lastKnown.delete(name);
  }

  return { get, wrote: (node) => void written.set(nameOf(node), node), object };
}

/** Whether our answer is of the same object as the cached one and younger. A cache without it has seen it go. */
function isNewer(ours: Node, cached: Node | undefined): boolean {
  if (cached === undefined || uidOf(cached) !== uidOf(ours)) return false;
  return versionOf(ours) > versionOf(cached);
}

/** Resource versions are opaque in theory and growing numbers in every API server that we know; others count as old. */
function versionOf(object: KubeObject): number {
  const version = Number(object.metadata?.resourceVersion);
  return Number.isFinite(version) ? version : 0;
}
