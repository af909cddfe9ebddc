import { z } from "zod/mini";
import { objectRefSchema } from "../object-ref.ts";

/** The kinds of object for which Events of other components are recorded. */
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
    /** The Event's UID, not its object's: a repetition has the same. */
    uid: z.string(),
    object: objectRefSchema,
    eventType: z.enum(EVENT_TYPES),
    /** For example `NodeNotReady`, as in `kubectl get events`. */
    reason: z.string(),
    message: z.string(),
    /** The sender: `kubelet`, `node-controller`. */
    component: z.string(),
    /** How often it has happened. */
    count: z.number(),
    firstAt: z.number(),
    lastAt: z.number(),
  }),
);
/** The current state of a Kubernetes Event that another component sent about an object. */
export type ObjectEvent = z.infer<typeof objectEventSchema>;

/** Reports whether one record of an Event is later than another. The ledger compares in the same way. */
export function isLaterThan(event: Repeat, other: Repeat): boolean {
  return event.lastAt === other.lastAt ? event.count > other.count : event.lastAt > other.lastAt;
}

type Repeat = Pick<ObjectEvent, "lastAt" | "count">;

/** The state of a leader's recording of other components' Events. */
export const eventWatchSchema = z.readonly(
  z.object({
    /** `off`: not requested (`--watch-events`). `denied`: the API server refuses to list or watch Events. */
    state: z.enum(["off", "starting", "denied", "watching"]),
    /** How many Events were not recorded, since this leader leads, because too many came at once. */
    leftOut: z.number(),
  }),
);
export type EventWatch = z.infer<typeof eventWatchSchema>;
