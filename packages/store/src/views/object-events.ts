import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { EventType, EventWatch } from "@cloudwright/core/model/records/object-event";
import type { Page, RunRow } from "./views.ts";

/** A Kubernetes Event about an object, ours or another component's. */
export interface ObjectEventRow {
  /** The UID, for an Event of another component. */
  readonly id: string;
  /** When it last happened. */
  readonly at: number;
  readonly firstAt: number;
  /** How often it has happened. */
  readonly count: number;
  readonly type: EventType;
  /** `NodeNotReady`, as `kubectl get events` shows it. */
  readonly reason: string;
  readonly message: string;
  /** The Event's object: for a volume's Events, the volume or its claim. */
  readonly object: ObjectRef;
  /** The sender: `kubelet`, or the source of one of our controllers. */
  readonly component: string;
  /** Our run that sent it. */
  readonly run: Pick<RunRow, "id" | "controller"> | undefined;
}

export interface ObjectEventsFilter {
  /** The object. */
  readonly kind: string;
  /** Includes the namespace, if it has one. */
  readonly name: string;
  readonly eventTypes?: readonly EventType[] | undefined;
  /** Part of a reason, a message, or a component's name, in any case. */
  readonly text?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export const OBJECT_EVENT_SORTS = ["at"] as const;
export type ObjectEventSort = (typeof OBJECT_EVENT_SORTS)[number];

export interface ObjectEventsPage extends Page<ObjectEventRow> {
  /** The leader's last report of it; undefined for a release that does not record other components' Events. */
  readonly watch: EventWatch | undefined;
}
