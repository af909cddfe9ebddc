import { z } from "zod/mini";
import { objectRefSchema } from "../object-ref.ts";

/** The kinds of object of which the Events of other components are recorded. */
export const WATCHED_KINDS = [
  "Node",
  "Service",
  "PersistentVolume",
  "PersistentVolumeClaim",
] as const;

export const EVENT_TYPES = ["Warning", "Normal"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const objectEventSchema = z.readonly(
  z.object({
    type: z.literal("objectEvent"),
    cluster: z.string(),
    /** Of the Event, not of its object: a repeat has the same. */
    uid: z.string(),
    object: objectRefSchema,
    eventType: z.enum(EVENT_TYPES),
    /** `NodeNotReady`, as `kubectl get events` shows it. */
    reason: z.string(),
    message: z.string(),
    /** Who sent it: `kubelet`, `node-controller`. */
    component: z.string(),
    /** How often it has happened. */
    count: z.number(),
    firstAt: z.number(),
    lastAt: z.number(),
  }),
);
/** A Kubernetes Event that another component sent about an object, as it is now. */
export type ObjectEvent = z.infer<typeof objectEventSchema>;

/** Whether an Event is as it became later than another record of it. The ledger compares in the same way. */
export function isLaterThan(event: Repeat, other: Repeat): boolean {
  return event.lastAt === other.lastAt ? event.count > other.count : event.lastAt > other.lastAt;
}

type Repeat = Pick<ObjectEvent, "lastAt" | "count">;

/** What of the Events of other components a leader records. */
export const eventWatchSchema = z.readonly(
  z.object({
    /** `off`: not asked for (`--watch-events`). `denied`: the API server refuses to list or watch Events. */
    state: z.enum(["off", "starting", "denied", "watching"]),
    /** Since this leader leads: Events that were too many at once to be recorded. */
    leftOut: z.number(),
  }),
);
export type EventWatch = z.infer<typeof eventWatchSchema>;
