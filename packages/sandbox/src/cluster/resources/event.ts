import { always, type Infer, integer, microTime, struct, text, time } from "../schema/schema.ts";
import { defineResource } from "./define-resource.ts";
import { eventColumns } from "./event-columns.ts";
import { eventProblems } from "./event-rules.ts";
import { objectMeta } from "./metadata.ts";
import { objectReference } from "./object-reference.ts";

export const eventSource = struct("EventSource", { component: text, host: text }, "component host");
export const eventSeries = struct(
  "EventSeries",
  {
    count: integer,
    lastObservedTime: always(microTime),
  },
  "count lastObservedTime",
);

const eventSchema = struct(
  "Event",
  {
    metadata: always(objectMeta),
    involvedObject: always(objectReference),
    reason: text,
    message: text,
    source: always(eventSource),
    firstTimestamp: always(time),
    lastTimestamp: always(time),
    count: integer,
    type: text,
    eventTime: always(microTime),
    series: eventSeries,
    action: text,
    related: objectReference,
    reportingComponent: always(text),
    reportingInstance: always(text),
  },
  "metadata involvedObject reason message source firstTimestamp lastTimestamp count type eventTime series action related reportingComponent reportingInstance",
);

export type Event = Infer<typeof eventSchema>;

export const events = defineResource(
  {
    group: "",
    version: "v1",
    kind: "Event",
    plural: "events",
    shortNames: ["ev"],
    namespaced: true,
    createOnUpdate: true,
  },
  {
    schema: eventSchema,
    rules: { problems: eventProblems, fields: eventFields(), columns: eventColumns },
  },
);

/** What a field selector may name. */
export function eventFields(): Record<string, (event: Event) => string> {
  return {
    "involvedObject.kind": (event) => event.involvedObject.kind ?? "",
    "involvedObject.namespace": (event) => event.involvedObject.namespace ?? "",
    "involvedObject.name": (event) => event.involvedObject.name ?? "",
    "involvedObject.uid": (event) => event.involvedObject.uid ?? "",
    "involvedObject.apiVersion": (event) => event.involvedObject.apiVersion ?? "",
    "involvedObject.resourceVersion": (event) => event.involvedObject.resourceVersion ?? "",
    "involvedObject.fieldPath": (event) => event.involvedObject.fieldPath ?? "",
    reason: (event) => event.reason ?? "",
    reportingComponent: (event) => event.reportingComponent,
    source: (event) => event.source.component ?? event.reportingComponent,
    type: (event) => event.type ?? "",
  };
}
