import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { EventType, EventWatch } from "@cloudwright/core/model/records/object-event";
import type { Page, RunRow } from "./views.ts";

/** A Kubernetes Event about an object: of another component, or of ours. */
export interface ObjectEventRow {
  /** Of another component's the UID. */
  readonly id: string;
  /** When it happened last. */
  readonly at: number;
  readonly firstAt: number;
  /** How often it has happened. */
  readonly count: number;
  readonly type: EventType;
  /** `NodeNotReady`, as `kubectl get events` shows it. */
  readonly reason: string;
  readonly message: string;
  /** What it is about: of a volume's Events, that or its claim. */
  readonly object: ObjectRef;
  /** Who sent it: `kubelet`, or the source of one of our controllers. */
  readonly component: string;
  /** The run of ours that sent it. */
  readonly run: Pick<RunRow, "id" | "controller"> | undefined;
}

export interface ObjectEventsFilter {
  /** The object. */
  readonly kind: string;
  /** With its namespace, where it has one. */
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
  /** What the leader last reported of it; undefined of a release that records none of other components. */
  readonly watch: EventWatch | undefined;
}
