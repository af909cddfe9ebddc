import { invalidValue, type Problem, required } from "../rules/problem.ts";
import { always, type Infer, integer, microTime, struct, text, time } from "../schema/schema.ts";
import { defineResource } from "./define-resource.ts";
import type { Column } from "./definition.ts";
import {
  type Event,
  eventColumns,
  eventFields,
  eventProblems,
  eventSeries,
  eventSource,
} from "./event.ts";
import { objectMeta } from "./metadata.ts";
import { objectReference } from "./object-reference.ts";

const newEventSchema = struct(
  "Event",
  {
    metadata: always(objectMeta),
    eventTime: always(microTime),
    series: eventSeries,
    reportingController: text,
    reportingInstance: text,
    action: text,
    reason: text,
    regarding: always(objectReference),
    related: objectReference,
    note: text,
    type: text,
    deprecatedSource: always(eventSource),
    deprecatedFirstTimestamp: always(time),
    deprecatedLastTimestamp: always(time),
    deprecatedCount: integer,
  },
  "metadata eventTime series reportingController reportingInstance action reason regarding related note type deprecatedSource deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedCount",
);

type NewEvent = Infer<typeof newEventSchema>;

/** `events.k8s.io/v1`: another form of the events that core/v1 serves. */
export const newEvents = defineResource(
  {
    group: "events.k8s.io",
    version: "v1",
    kind: "Event",
    plural: "events",
    shortNames: ["ev"],
    namespaced: true,
    createOnUpdate: true,
  },
  {
    schema: newEventSchema,
    rules: { problems, fields: newFields(), columns: newColumns() },
    view: {
      // The registry translates only objects that the schemas of these two resources decoded.
      toStored: (item) => toCoreEvent(item as NewEvent),
      fromStored: (item) => fromCoreEvent(item as Event),
    },
  },
);

function newColumns(): readonly Column<NewEvent>[] {
  return eventColumns.map(([name, description, cell, ...wide]) => [
    name,
    description,
    (event, now) => cell(toCoreEvent(event), now, []),
    ...wide,
  ]);
}

/** Returns core's selectable fields, with their object under its new name. */
function newFields(): Record<string, (event: NewEvent) => string> {
  return Object.fromEntries(
    Object.entries(eventFields()).map(([name, read]) => [
      name.replace("involvedObject.", "regarding."),
      (event: NewEvent) => read(toCoreEvent(event)),
    ]),
  );
}

function problems(event: NewEvent): readonly Problem[] {
  const typed = event.type === "Normal" || event.type === "Warning";
  return [
    ...(event.eventTime === null ? [required("eventTime")] : []),
    ...(typed ? [] : [invalidValue("type", "", `has invalid value: ${event.type ?? ""}`)]),
    ...eventProblems(toCoreEvent(event)),
  ];
}

function toCoreEvent(event: NewEvent): Event {
  return withoutAbsent({
    metadata: event.metadata,
    involvedObject: event.regarding,
    reason: event.reason,
    message: event.note,
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    count: event.deprecatedCount,
    type: event.type,
    eventTime: event.eventTime,
    series: event.series,
    action: event.action,
    related: event.related,
    reportingComponent: event.reportingController ?? "",
    reportingInstance: event.reportingInstance ?? "",
  });
}

function fromCoreEvent(event: Event): NewEvent {
  return withoutAbsent({
    metadata: event.metadata,
    eventTime: event.eventTime,
    series: event.series,
    reportingController: event.reportingComponent || undefined,
    reportingInstance: event.reportingInstance || undefined,
    action: event.action,
    reason: event.reason,
    regarding: event.involvedObject,
    related: event.related,
    note: event.message,
    type: event.type,
    deprecatedSource: event.source,
    deprecatedFirstTimestamp: event.firstTimestamp,
    deprecatedLastTimestamp: event.lastTimestamp,
    deprecatedCount: event.count,
  });
}

type Absent<T> = { [K in keyof T]: T[K] | undefined };

/** Removes undefined members, so that they do not make the two forms of an event differ. */
function withoutAbsent<T extends object>(event: Absent<T>): T {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as T;
}
