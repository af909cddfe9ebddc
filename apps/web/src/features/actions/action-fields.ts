import { isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { objectName } from "@cloudwright/core/model/object-ref";
import { type Field, field, timeField } from "../../components/table/field.ts";
import { intentPresentation, listedResult } from "../../platform/actions/listed-intent.ts";
import { listedTitle } from "../../platform/wording/action-title.ts";

/** The fields of the export of actions: the page's columns and more. */
export const ACTION_FIELDS: readonly Field<ListedIntent>[] = [
  field("state", "State", (intent) => intentPresentation(intent).label),
  field("action", "Action", listedTitle),
  field("kind", "Kind", ({ object }) => object.kind),
  field("object", "Object", ({ object }) => objectName(object)),
  field("result", "Result", listedResult),
  field("who", "Requested by", ({ actor }) => actor),
  field("why", "Reason", ({ why }) => why),
  timeField("when", "Requested", ({ requestedAt }) => requestedAt),
  timeField("expires", "Expires", ({ expiresAt }) => expiresAt),
  field("runs", "Runs", (intent) => (isReadable(intent) ? intent.runIds.join(" ") : undefined)),
  field("id", "Action id", ({ id }) => id),
];
