import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { refOf } from "./node-object.ts";
import { nameOf, uidOf } from "./object-meta.ts";
import { createObjectView, type ObjectView } from "./written-objects.ts";

export type NodeView = ObjectView<Node>;

export function createNodeView(informer: Pick<Informer<Node>, "get">): NodeView {
  return createObjectView({
    informer,
    keyOf: nameOf,
    refOf,
    unknown: (name) => ({ kind: "Node", name }),
  });
}

/** Returns the newest view of this very node. */
export function newestOf({ get }: Pick<NodeView, "get">, node: Node): Node {
  const known = get(nameOf(node));
  return known !== undefined && uidOf(known) === uidOf(node) ? known : node;
}
