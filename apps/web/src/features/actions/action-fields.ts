import type { Intent } from "@cloudwright/core/model/actions/intent";
import { objectName } from "@cloudwright/core/model/object-ref";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { type Field, field, timeField } from "../../components/table/field.ts";
import { actionTitle } from "../../platform/wording/action-title.ts";
import { resultText } from "./action-result.ts";

/** What a file of actions holds: the page's columns and more. */
export const ACTION_FIELDS: readonly Field<Intent>[] = [
  field("state", "State", ({ state }) => INTENT_PRESENTATION[state].label),
  field("action", "Action", actionTitle),
  field("kind", "Kind", ({ object }) => object.kind),
  field("object", "Object", ({ object }) => objectName(object)),
  field("result", "Result", resultText),
  field("who", "Requested by", ({ actor }) => actor),
  field("why", "Reason", ({ why }) => why),
  timeField("when", "Requested", ({ requestedAt }) => requestedAt),
  timeField("expires", "Expires", ({ expiresAt }) => expiresAt),
  field("runs", "Runs", ({ runIds }) => runIds.join(" ")),
  field("id", "Action id", ({ id }) => id),
];
