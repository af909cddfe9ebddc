import type { Node } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { refOf } from "./node-object.ts";
import { nameOf } from "./object-meta.ts";
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
