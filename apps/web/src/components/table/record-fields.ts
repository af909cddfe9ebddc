import type { ObjectSummary } from "@cloudwright/core/model/kinds/define-kind";
import { advice } from "@cloudwright/core/model/reason";
import { cause } from "@cloudwright/core/model/sentence";
import { OUTCOME_PRESENTATION } from "../presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../presentation/states.ts";
import { type Field, field, isoTime, timeField } from "./field.ts";

type RecordRow = Pick<ObjectSummary, "name" | "uid" | "state" | "reason" | "since" | "failures">;

/** Returns the first fields of the export of each such list, matching its columns but including the evidence. */
export function leadingFields(name: {
  readonly id: string;
  readonly header: string;
}): readonly Field<RecordRow>[] {
  return [
    field("state", "State", ({ state }) => STATE_PRESENTATION[state].label),
    field(name.id, name.header, (row) => row.name),
    field("why", "Why", ({ reason }) => cause(reason, isoTime)),
    field("advice", "What to do", ({ reason }) => advice(reason) || undefined),
    field("reason", "Reason", ({ reason }) => reason.code),
    timeField("since", "Since", ({ since }) => since),
    field("failures", "Failures", ({ failures }) => failures),
    field("uid", "UID", ({ uid }) => uid),
  ];
}

/** Returns the fields for drift and the outcome of the last run. */
export function trailingFields(): readonly Field<Pick<ObjectSummary, "drift" | "lastRun">>[] {
  return [
    field("drift", "Drift", ({ drift }) => DRIFT_PRESENTATION[drift].label),
    field("run", "Last run", ({ lastRun }) => OUTCOME_PRESENTATION[lastRun.outcome].label),
    timeField("runAt", "Last run at", ({ lastRun }) => lastRun.at),
    field("runId", "Last run id", ({ lastRun }) => lastRun.id),
  ];
}
