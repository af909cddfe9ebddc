import { controllerOf } from "@cloudwright/core/model/controller-names";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { RunEvent } from "@cloudwright/store/views/run-events";
import { type Field, field, timeField } from "../../../components/table/field.ts";

/** The fields of the export of a run's Events: those of its object around that time, each with its run. */
export const EVENT_FIELDS: readonly Field<RunEvent>[] = [
  timeField("time", "Time", ({ at }) => at),
  field("type", "Type", ({ type }) => type),
  field("run", "Run", ({ runId }) => runId),
  field("reason", "Event", ({ reason }) => reason),
  field("message", "Message", ({ message }) => message),
  field("object", "Object", ({ target }) => `${target.kind} ${objectName(target)}`),
  field("by", "By", ({ controller }) => controllerOf(controller).label),
];
