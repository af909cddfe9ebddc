import { controllerOf } from "@cloudwright/core/model/controller-names";
import type { ShadowRow } from "@cloudwright/store/views/shadow";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { type Field, field, isoTime, timeField } from "../../components/table/field.ts";
import { dryRunLine } from "./dry-run-messages.ts";

/** The fields of the export of a dry run: the page's columns and more. */
export const DRY_RUN_FIELDS: readonly Field<ShadowRow>[] = [
  field("object", "Object", ({ object: { namespace, name } }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  ),
  field("would", "Would", (row) => dryRunLine(row, isoTime)),
  field("kind", "Kind", ({ object }) => object.kind),
  field("controller", "Controller", ({ controller }) => controllerOf(controller).label),
  field(
    "outcome",
    "Outcome",
    ({ outcome }) => outcomePresentation({ outcome, dryRun: true }).label,
  ),
  timeField("at", "Planned", ({ at }) => at),
  field("runId", "Run id", ({ runId }) => runId),
];
