import type { Node } from "../../kube/client.ts";
import type { EventText } from "../../kube/events/event-object.ts";
import type { EventEffect } from "../../reconcile/effects.ts";
import { nameOf, uidOf } from "./object-meta.ts";

/** Returns an Event of a node, as an effect. */
export function nodeEvent(node: Node, event: EventText): EventEffect {
  const target = { apiVersion: "v1", kind: "Node", name: nameOf(node), uid: uidOf(node) };
  return { kind: "event", target, event };
}
