import { qualifiedNameProblems } from "../rules/names.ts";
import { invalidValue, type Problem, required, ruleProblems } from "../rules/problem.ts";
import { always, type Infer, integer, microTime, struct, text, time } from "../schema/schema.ts";
import { ageOf } from "../tables/age.ts";
import { defineResource } from "./define-resource.ts";
import type { Column } from "./definition.ts";
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

const LONGEST_MESSAGE = 1_024;
const LONGEST_WORD = 128;

export const eventColumns: readonly Column<Event>[] = [
  [
    "Last Seen",
    "How long ago the event was seen last.",
    (event, now) => ageOf(lastSeen(event), now),
  ],
  ["Type", "Normal or Warning.", (event) => event.type ?? ""],
  ["Reason", "One word that says why.", (event) => event.reason ?? ""],
  ["Object", "What the event is about.", objectName],
  [
    "Subobject",
    "Which part of the object the event is about.",
    (event) => event.involvedObject.fieldPath ?? "",
    "wide",
  ],
  ["Source", "Who reported the event.", sourceName, "wide"],
  ["Message", "What happened, in a sentence.", (event) => (event.message ?? "").trim()],
  [
    "First Seen",
    "How long ago the event was seen first.",
    (event, now) => ageOf(firstSeen(event), now),
    "wide",
  ],
  [
    "Count",
    "How often the event was seen.",
    (event) => event.series?.count ?? (event.count || 1),
    "wide",
  ],
  ["Name", "The event's name.", (event) => event.metadata.name ?? "", "wide"],
];

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

/** Returns the fields that a field selector may name. */
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

function firstSeen(event: Event): string | null {
  return event.firstTimestamp ?? event.eventTime;
}

function lastSeen(event: Event): string | null {
  return event.series?.lastObservedTime ?? event.lastTimestamp ?? firstSeen(event);
}

function objectName({ involvedObject }: Event): string {
  const kind = (involvedObject.kind ?? "").toLowerCase();
  return involvedObject.name === undefined ? kind : `${kind}/${involvedObject.name}`;
}

function sourceName({ source, reportingComponent, reportingInstance }: Event): string {
  const component = source.component ?? reportingComponent;
  const host = source.host ?? reportingInstance;
  return host === "" ? component : `${component}, ${host}`;
}

/** Checks upstream's rules for core events: one with an eventTime, which is the newer form, has to meet more of them. */
export function eventProblems(event: Event): readonly Problem[] {
  const namespace = namespaceProblems(event);
  return event.eventTime === null ? namespace : [...namespace, ...newStyleProblems(event)];
}

/** An event is in the namespace of its object; one about a cluster-scoped object is in `default`. */
function namespaceProblems(event: Event): readonly Problem[] {
  const own = event.metadata.namespace ?? "";
  const involved = event.involvedObject.namespace ?? "";
  const fits = involved === "" ? own === "" || own === "default" : involved === own;
  return fits
    ? []
    : [invalidValue("involvedObject.namespace", involved, "does not match event.namespace")];
}

function newStyleProblems(event: Event): readonly Problem[] {
  const { reportingComponent, reportingInstance, action = "", reason = "", message = "" } = event;
  return [
    ...(reportingComponent === "" ? [required("reportingComponent")] : []),
    ...ruleProblems(qualifiedNameProblems, "reportingComponent", reportingComponent),
    ...wordProblems("reportingInstance", reportingInstance),
    ...wordProblems("action", action),
    ...wordProblems("reason", reason),
    ...lengthProblems("message", message, LONGEST_MESSAGE),
  ];
}

function wordProblems(field: string, value: string): readonly Problem[] {
  return value === "" ? [required(field)] : lengthProblems(field, value, LONGEST_WORD);
}

function lengthProblems(field: string, value: string, limit: number): readonly Problem[] {
  return value.length > limit
    ? [invalidValue(field, "", `can have at most ${limit} characters`)]
    : [];
}
