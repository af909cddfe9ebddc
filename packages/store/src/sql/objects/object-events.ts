import { controllerOf } from "@cloudwright/core/model/controller-names";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import { EVENT_TYPES } from "@cloudwright/core/model/records/object-event";
import { z } from "zod";
import type {
  ObjectEventRow,
  ObjectEventSort,
  ObjectEventsFilter,
} from "../../views/object-events.ts";
import { anyOf, type Bind, contains, from, until } from "../lists/conditions.ts";
import type { List } from "../lists/list.ts";
import {
  asIs,
  asJson,
  asNumber,
  asText,
  asTime,
  orUndefined,
  type StoredRow,
  storedColumns,
} from "../stored-json.ts";

/* By hand: rows of two tables in one order, one of which holds several per row in a JSON column. */

/**
 * Lists the Events of these objects, ours and those of other components. Both tables are queried by their indexes over the object; our
 * Events have the object of their run, and may be about another, such as a volume's claim.
 */
export function eventsOf(
  objects: readonly ObjectRef[],
): List<ObjectEventRow, ObjectEventsFilter, ObjectEventSort> {
  const nothing = () => undefined;
  return {
    ...{ name: "object-events", table: ALL, scope: "cluster_id", columns: EVENT.columns },
    only: (bind) => `(${objects.map((object) => isOf(object, bind)).join(" OR ")})`,
    filters: {
      // Given by the objects.
      ...{ kind: nothing, name: nothing },
      eventTypes: anyOf("type"),
      text: contains("lower(concat_ws(' ', reason, message, component))"),
      from: from("at"),
      to: until("at"),
    },
    orders: {
      at: [
        { expression: "at", type: "timestamp" },
        { expression: "id", type: "text" },
      ],
    },
    view: eventRow,
  };
}

function isOf({ kind, namespace = "", name }: ObjectRef, bind: Bind): string {
  return `(object_name = ${bind(name)} AND object_namespace = ${bind(namespace)} AND object_kind = ${bind(kind)})`;
}

const OURS_AT =
  "date_trunc('milliseconds', runs.started_at + (sent.event->>'offsetMs')::float8 * interval '1 millisecond')";

const ALL = `(
  SELECT cluster_id, object_kind, object_namespace, object_name, uid AS id, last_at AS at, first_at, count, type, reason, message,
         component, object_kind AS about_kind, object_namespace AS about_namespace, object_name AS about_name,
         NULL AS run_id, NULL AS controller
    FROM object_events
  UNION ALL
  SELECT runs.cluster_id, runs.object_kind, runs.object_namespace, runs.object_name, runs.id || ' ' || sent.place, ${OURS_AT}, ${OURS_AT}, 1,
         sent.event->>'type', sent.event->>'reason', sent.event->>'message', runs.controller, sent.event#>>'{target,kind}',
         COALESCE(sent.event#>>'{target,namespace}', ''), sent.event#>>'{target,name}', runs.id::text, runs.controller
    FROM runs, LATERAL jsonb_array_elements(runs.events) WITH ORDINALITY AS sent(event, place)
   WHERE runs.events <> '[]'
  ) AS events`;

const EVENT = storedColumns({
  id: asText,
  at: asTime,
  firstAt: asTime,
  count: asNumber,
  type: asJson(z.enum(EVENT_TYPES), "Normal"),
  reason: asText,
  message: asText,
  component: asText,
  aboutKind: asText,
  aboutNamespace: asText,
  aboutName: asText,
  runId: orUndefined<string>,
  controller: asIs<string | null>,
});

function eventRow(row: StoredRow): ObjectEventRow {
  const { aboutKind, aboutNamespace, aboutName, runId, controller, ...event } = EVENT.read(row);
  const object: ObjectRef = {
    kind: aboutKind,
    ...(aboutNamespace === "" ? {} : { namespace: aboutNamespace }),
    name: aboutName,
  };
  if (runId === undefined || controller === null) return { ...event, object, run: undefined };
  const { eventSource } = controllerOf(controller);
  return { ...event, object, component: eventSource, run: { id: runId, controller } };
}
