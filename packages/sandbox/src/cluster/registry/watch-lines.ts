import type { ApiError } from "../http/api-error.ts";
import type { Presentation } from "../http/render.ts";
import { renderObject, renderRevision } from "../http/render.ts";
import type { ResourceDefinition } from "../resources/definition.ts";
import type { ApiObject } from "../resources/metadata.ts";
import { type Revision, revisionOf, type StoreChange } from "../state/revision.ts";
import { tableOf } from "../tables/table.ts";
import { asSeen } from "./context.ts";
import { canonical } from "./decode-object.ts";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** The lines of one watch, in the form that its client requested. */
export interface WatchLines {
  readonly event: (type: EventType, revision: Revision) => string;
  readonly change: (type: EventType, change: StoreChange) => string;
  readonly bookmark: (version: number, endsInitialEvents: boolean) => string;
  readonly error: (error: ApiError) => string;
}

export function watchLines(definition: ResourceDefinition, presentation: Presentation): WatchLines {
  const event = eventWriter(definition, presentation);
  return {
    event,
    change: (type, change) => writeChange(event, type, change),
    bookmark: (version, endsInitialEvents) =>
      line("BOOKMARK", bookmarkObject(definition, version, endsInitialEvents)),
    error: (error) => line("ERROR", JSON.stringify(error.status())),
  };
}

type EventWriter = (type: EventType, revision: Revision) => string;

function eventWriter(definition: ResourceDefinition, presentation: Presentation): EventWriter {
  if (presentation.form !== "table") {
    return (type, revision) => line(type, renderRevision(definition, revision, presentation));
  }
  let withoutColumns = false;
  return (type, revision) => {
    const object = asSeen(definition, revision.object);
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
    const table = tableOf(definition, [object], { ...presentation, metadata, withoutColumns });
    withoutColumns = true;
    return line(type, JSON.stringify(table));
  };
}

/** An object that no longer matches a selector is shown as it last matched, with the version of the change. */
function writeChange(event: EventWriter, type: EventType, change: StoreChange): string {
  const { kind, previous, revision, version } = change;
  const isLeaving = type === "DELETED" && kind === "modified" && previous !== undefined;
  return event(type, isLeaving ? revisionOf(previous.key, previous.object, version) : revision);
}

const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

function bookmarkObject(
  definition: ResourceDefinition,
  version: number,
  endsInitialEvents: boolean,
): string {
  const metadata = {
    resourceVersion: String(version),
    ...(endsInitialEvents ? { annotations: { [INITIAL_EVENTS_END]: "true" } } : {}),
  };
  const empty: ApiObject = canonical(definition, { metadata });
  return renderObject(definition, empty, { form: "object", includeObject: "None", now: 0 });
}

function line(type: string, object: string): string {
  return `{"type":"${type}","object":${object}}\n`;
}
