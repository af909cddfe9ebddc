import type { Clock, Random } from "../../model/time.ts";
import { EVENTS, type KubeClient } from "../client.ts";
import { isKubeError } from "../errors.ts";
import { createEventCorrelator } from "./event-correlation.ts";
import { createEventDelivery } from "./event-delivery.ts";
import {
  type EventSeries,
  type EventSource,
  type EventTarget,
  type EventText,
  eventObject,
  eventPatch,
  startSeries,
} from "./event-object.ts";
import { createRecentMap } from "./recent-map.ts";

/** Kubernetes Events of one source. Recording never blocks, fails or waits. */
export interface EventRecorder {
  event(object: EventTarget, text: EventText): void;
  /**
   * Sends what is queued, until the deadline or until nothing gets through; returns what is left. With `isReleased` the Events
   * are sent although the fence is now closed: releasing the Lease closes it, and Events only report what was done before.
   */
  flush(
    deadlineMs: number,
    options?: { readonly isReleased?: boolean },
  ): Promise<readonly UnsentEvent[]>;
  /** Events lost because the queue was full, retries ran out, or the API server refused them. */
  readonly dropped: number;
}

/** An Event that did not get through, or may not have. */
export type UnsentEvent = Pick<EventSeries, "target" | "text" | "message" | "count">;

export interface EventRecorderOptions {
  /** Fenced: a process that has lost the Lease sends no Events either. */
  readonly client: Pick<KubeClient, "create" | "patch">;
  /** The component, such as `cloud-node-controller`. */
  readonly source: string;
  /** This process, for `reportingInstance`. */
  readonly instance: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for each event that could not be delivered. */
  readonly onError?: (error: unknown) => void;
  readonly onDrop?: (count: number) => void;
  /** Whether we have more important work for the same API server: Normal Events then wait, Warnings do not. */
  readonly isBusy?: () => boolean;
}

/** How many series may still be counted; an older one starts as a new Event. */
const REMEMBERED_SERIES = 20_000;

/**
 * Records core/v1 Events by the rules of spec/00 §17: similar ones are combined, identical ones counted, excess ones of
 * an object suppressed, and delivery is retried.
 */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { clock, client } = options;
  const source: EventSource = { component: options.source, instance: options.instance };
  const correlate = createEventCorrelator(clock);
  const series = createRecentMap<EventSeries>(REMEMBERED_SERIES);
  const delivery = createEventDelivery<EventSeries>({
    send: (item) => send(client, { source, item, passesFence: isReleased }),
    isUrgent: (item) => item.text.type === "Warning",
    ...(options.isBusy === undefined ? {} : { isBusy: options.isBusy }),
    clock,
    random: options.random,
    onError: options.onError ?? (() => undefined),
    onDrop: options.onDrop ?? (() => undefined),
  });
  let sequence = 0;
  let isReleased = false;

  return {
    event: (target, text) => {
      const found = correlate({ objectKey: keyOf(target), ...text });
      const now = clock.now();
      const item = series.touch(found.seriesKey, () => {
        sequence += 1;
        return startSeries({ target, text, now, sequence });
      });
      item.count += 1;
      item.lastAt = now;
      item.message = found.message;
      if (found.admitted) delivery.enqueue(item);
    },
    flush: (deadlineMs, given = {}) => {
      isReleased ||= given.isReleased === true;
      return delivery.flush(deadlineMs);
    },
    get dropped() {
      return delivery.dropped;
    },
  };
}

type EventClient = EventRecorderOptions["client"];

interface Sending {
  readonly source: EventSource;
  readonly item: EventSeries;
  readonly passesFence: boolean;
}

async function send(client: EventClient, sending: Sending): Promise<void> {
  const { source, item, passesFence } = sending;
  if (item.created && (await countUp(client, sending))) return;
  const collection = { resource: EVENTS, namespace: item.namespace };
  await client
    .create(collection, eventObject(item, source), { passesFence })
    .catch((error: unknown) => {
      // An earlier attempt arrived, and only its answer was lost.
      if (!isKubeError(error) || error.code !== "AlreadyExists") throw error;
    });
  item.created = true;
}

/**
 * Returns false when the API server has forgotten the Event, as it does after a while; the series then starts a new
 * one.
 */
async function countUp(client: EventClient, { item, passesFence }: Sending): Promise<boolean> {
  const target = { resource: EVENTS, namespace: item.namespace, name: item.name };
  try {
    await client.patch(target, { kind: "strategic", body: eventPatch(item) }, { passesFence });
    return true;
  } catch (error) {
    if (isKubeError(error) && error.code === "NotFound") return false;
    throw error;
  }
}

function keyOf({ apiVersion, kind, namespace, name, uid }: EventTarget): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}
