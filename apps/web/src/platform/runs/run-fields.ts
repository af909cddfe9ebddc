import { controllerOf } from "@cloudwright/core/model/controller-names";
import { objectName } from "@cloudwright/core/model/object-ref";
import { cause } from "@cloudwright/core/model/sentence";
import type { RunRow } from "@cloudwright/store/views/views";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { triggerText } from "../../components/presentation/trigger-text.ts";
import { type Field, field, isoTime, timeField } from "../../components/table/field.ts";

/** The fields of the export of runs: the list's columns and more. */
export const RUN_FIELDS: readonly Field<RunRow>[] = [
  timeField("started", "Started", ({ startedAt }) => startedAt),
  field("outcome", "Outcome", (run) => outcomePresentation(run).label),
  field("kind", "Kind", ({ object }) => object.kind),
  field("object", "Object", ({ object: { namespace, name, kind } }) =>
    objectName({ kind, name, ...(namespace === undefined ? {} : { namespace }) }),
  ),
  field("why", "Why", ({ reason }) => reason && cause(reason, isoTime)),
  field("reason", "Reason", ({ reason }) => reason?.code),
  field("controller", "Controller", ({ controller }) => controllerOf(controller).label),
  field("trigger", "Trigger", ({ trigger }) => triggerText(trigger)),
  field("queued", "Queued (ms)", ({ queuedMs }) => queuedMs),
  field("duration", "Work (ms)", ({ durationMs }) => durationMs),
  field("calls", "Cloud calls", ({ cloudCalls }) => cloudCalls),
  field("kubeCalls", "Kubernetes calls", ({ kubeCalls }) => kubeCalls),
  field("changes", "Changes", ({ changes }) => changes),
  field("attempt", "Attempt", ({ attempt }) => attempt),
  field("dryRun", "Dry run", ({ dryRun }) => dryRun),
  field("folded", "Runs", ({ folded }) => folded),
  timeField("foldedFrom", "Since", ({ foldedFrom }) => foldedFrom),
  field("id", "Run id", ({ id }) => id),
];
