import type { Node } from "../../kube/client.ts";
import type { EventText } from "../../kube/events/event-object.ts";
import type { EventRecorder } from "../../kube/events/events.ts";
import type { EventEffect } from "../../reconcile/effects.ts";
import { nameOf, uidOf } from "./object-meta.ts";

/** The part of the recorder that a loop uses. Recording never waits and never fails. */
export type Events = Pick<EventRecorder, "event">;

export interface NodeEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** An Event of a node, as data. */
export function nodeEvent(node: Node, event: EventText): EventEffect {
  const target = { apiVersion: "v1", kind: "Node", name: nameOf(node), uid: uidOf(node) };
  return { kind: "event", target, event };
}

export function recordNodeEvent(events: Events, node: Node, event: NodeEvent): void {
  events.event({ apiVersion: "v1", kind: "Node", name: nameOf(node), uid: uidOf(node) }, event);
}
