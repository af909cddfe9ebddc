import { ageOf } from "../tables/age.ts";
import type { Column } from "./definition.ts";
import type { Event } from "./event.ts";

export const eventColumns: readonly Column<Event>[] = [
  {
    name: "Last Seen",
    description: "How long ago the event was seen last.",
    cell: (event, now) => ageOf(lastSeen(event), now),
  },
  { name: "Type", description: "Normal or Warning.", cell: (event) => event.type ?? "" },
  { name: "Reason", description: "One word that says why.", cell: (event) => event.reason ?? "" },
  { name: "Object", description: "What the event is about.", cell: objectName },
  {
    name: "Subobject",
    description: "Which part of the object the event is about.",
    priority: 1,
    cell: (event) => event.involvedObject.fieldPath ?? "",
  },
  { name: "Source", description: "Who reported the event.", priority: 1, cell: sourceName },
  {
    name: "Message",
    description: "What happened, in a sentence.",
    cell: (event) => (event.message ?? "").trim(),
  },
  {
    name: "First Seen",
    description: "How long ago the event was seen first.",
    priority: 1,
    cell: (event, now) => ageOf(firstSeen(event), now),
  },
  {
    name: "Count",
    description: "How often the event was seen.",
    priority: 1,
    cell: (event) => event.series?.count ?? (event.count || 1),
  },
  {
    name: "Name",
    description: "The event's name.",
    priority: 1,
    cell: (event) => event.metadata.name ?? "",
  },
];

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
