import { objectName } from "@cloudwright/core/model/object-ref";
import { factsOf } from "@cloudwright/core/model/reason";
import { eventMessage } from "@cloudwright/core/model/sentence";
import type { PlanPreview } from "../plan/planned-object.ts";
import { type Judged, ok, problem, warning } from "./finding.ts";

const MOST_SHOWN = 10;

/** What an earlier manager has made, which of it would be adopted, and how much the first pass would write. */
export function judgeTakeover({
  objects,
  unseen,
}: Pick<PlanPreview, "objects" | "unseen">): Judged[] {
  const adopted = objects.filter(({ run }) =>
    [run.reason, ...run.changes.map(({ reason }) => reason)].some(
      ({ code }) => code === "BalancerAdopted",
    ),
  );
  const consent = objects.filter(({ run }) => factsOf(run.reason.code).offers === "adopt");
  const failed = objects.filter(({ verdict }) => verdict === "failed");
  const changed = objects.filter(({ verdict }) => verdict === "change");
  const changes = changed.reduce((sum, { run }) => sum + run.changes.length, 0);
  return [
    ...adopted.map(({ run }) =>
      ok(`${run.object.kind} ${objectName(run.object)}: its load balancer would be adopted.`),
    ),
    ...consent
      .slice(0, MOST_SHOWN)
      .map(({ run }) =>
        warning(
          `${run.object.kind} ${objectName(run.object)}: ${eventMessage(run.reason)}`,
          "Adopt it with cloudwright adopt or on its page; until then it is left as it is.",
        ),
      ),
    ...distinct(
      failed.map(
        ({ run }) =>
          `${run.object.kind} ${objectName(run.object)} could not be planned: ${eventMessage(run.reason)}`,
      ),
    )
      .slice(0, MOST_SHOWN)
      .map((says) => problem(says, "Correct that first, then run cloudwright plan.")),
    ...unseen.map(({ controller, why }) =>
      problem(
        `${controller} could not observe everything: ${why.replace(/\.$/, "")}.`,
        "Correct that first, then run cloudwright plan.",
      ),
    ),
    ok(
      changes === 0
        ? "The first pass would write nothing."
        : `The first pass would make ${changes} ${changes === 1 ? "change" : "changes"} to ${changed.length} ${changed.length === 1 ? "object" : "objects"}: cloudwright plan lists them.`,
    ),
  ];
}

/** Several controllers fail to observe one object for one reason. */
function distinct(sentences: readonly string[]): readonly string[] {
  return [...new Set(sentences)];
}
