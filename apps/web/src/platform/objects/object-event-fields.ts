import { controllerOf } from "@cloudwright/core/model/controller-names";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { ObjectEventRow } from "@cloudwright/store/views/object-events";
import { type Field, field, timeField } from "../../components/table/field.ts";

/** The fields of the export of an object's Events: the list's columns and more. */
export const OBJECT_EVENT_FIELDS: readonly Field<ObjectEventRow>[] = [
  timeField("time", "Time", ({ at }) => at),
  field("type", "Type", ({ type }) => type),
  field("reason", "Event", ({ reason }) => reason),
  field("message", "Message", ({ message }) => message),
  field("component", "Sent by", ({ component }) => component),
  field("count", "Count", ({ count }) => count),
  timeField("first", "First", ({ firstAt }) => firstAt),
  field("object", "Object", ({ object }) => `${object.kind} ${objectName(object)}`),
  field("controller", "Controller", ({ run }) => run && controllerOf(run.controller).label),
  field("run", "Run id", ({ run }) => run?.id),
];
