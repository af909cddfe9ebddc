import type { CoreV1Event } from "@kubernetes/client-node";
import { EVENTS, type EventReason } from "../../model/events.ts";
import { visibleText } from "../../model/values/bounded-text.ts";
import type { Wire } from "../client.ts";

export interface EventTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** Returns an Event from the model's list, which determines its type. */
export function eventText(reason: EventReason, message: string): EventText {
  return { type: EVENTS[reason].type, reason, message };
}

export interface EventSource {
  readonly component: string;
  readonly instance: string;
}

/** One Event object of the API with its rising count. */
export interface EventSeries {
  readonly target: EventTarget;
  readonly text: EventText;
  readonly name: string;
  readonly namespace: string;
  readonly firstAt: number;
  lastAt: number;
  count: number;
  message: string;
  created: boolean;
}

export interface SeriesStart {
  readonly target: EventTarget;
  readonly text: EventText;
  readonly now: number;
  /** Distinguishes the Events of one object within one millisecond. */
  readonly sequence: number;
}

/** The longest name of an API object. */
const LONGEST_NAME = 253;
/** The newer Event API's limit for a note. */
const LONGEST_MESSAGE = 1_024;

export function startSeries({ target, text, now, sequence }: SeriesStart): EventSeries {
  const suffix = `.${(BigInt(now) * 1_000_000n + BigInt(sequence % 1_000_000)).toString(16)}`;
  return {
    target,
    text,
    name: target.name.slice(0, LONGEST_NAME - suffix.length) + suffix,
    // Objects without a namespace have their Events in `default` (spec/00 §17).
    namespace: target.namespace ?? "default",
    firstAt: now,
    lastAt: now,
    count: 0,
    message: text.message,
    created: false,
  };
}

export function eventObject(series: EventSeries, source: EventSource): Wire<CoreV1Event> {
  const { target, text } = series;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: series.name, namespace: series.namespace },
    involvedObject: { ...target },
    type: text.type,
    reason: text.reason,
    message: shortened(series.message),
    source: { component: source.component },
    reportingComponent: source.component,
    reportingInstance: source.instance,
    firstTimestamp: timestamp(series.firstAt),
    lastTimestamp: timestamp(series.lastAt),
    count: series.count,
  };
}

export function eventPatch(series: EventSeries) {
  return {
    count: series.count,
    lastTimestamp: timestamp(series.lastAt),
    message: shortened(series.message),
  };
}

function shortened(text: string): string {
  const message = visibleText(text);
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE - 1)}…`;
}

/** The API's times have whole seconds. */
function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
