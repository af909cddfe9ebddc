import { objectName } from "@cloudwright/core/model/object-ref";
import { factsOf, type Reason } from "@cloudwright/core/model/reason";
import { eventMessage } from "@cloudwright/core/model/sentence";
import { grouped } from "@cloudwright/core/model/values/grouped";
import type { PlannedObject, PlanPreview } from "../plan/planned-object.ts";
import { type Judged, ok, problem, someOf, warning } from "./finding.ts";

const MOST_SHOWN = 10;

/** Judges a takeover: what an earlier manager has made, how much of it would be adopted, and how much the first pass would write. */
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
    ...byCause(failed)
      .slice(0, MOST_SHOWN)
      .map((says) => problem(says, "Correct that first, then run cloudwright plan.")),
    ...unseen.map(({ controller, why }) =>
      problem(
        `${controller} could not observe everything: ${why.replace(/\.$/, "")}.`,
        "Correct that first, then run cloudwright plan.",
      ),
    ),
    ...firstPass(changed, { isPartial: failed.length + unseen.length > 0 }),
  ];
}

/** Returns a sentence for each cause that prevents planning: several controllers may fail on one object, and many objects for one cause. */
function byCause(failed: readonly PlannedObject[]): readonly string[] {
  const causes = grouped(failed, ({ run }) => causeOf(run.reason));
  return [...causes.values()].map((alike) => {
    const names = alike.map(({ run }) => `${run.object.kind} ${objectName(run.object)}`);
    const sentences = alike.map(({ run }) => eventMessage(run.reason));
    return `${someOf([...new Set(names)])} could not be planned: ${sentences[0]}`;
  });
}

function causeOf(reason: Reason): string {
  return reason.code === "Other" ? `Other ${reason.name}` : reason.code;
}

function firstPass(
  changed: readonly PlannedObject[],
  { isPartial }: { readonly isPartial: boolean },
): readonly Judged[] {
  const changes = changed.reduce((sum, { run }) => sum + run.changes.length, 0);
  if (changes === 0) return isPartial ? [] : [ok("The first pass would write nothing.")];
  const start = isPartial ? "As far as it could be planned, the" : "The";
  const count = `${changes} ${changes === 1 ? "change" : "changes"}`;
  const objects = `${changed.length} ${changed.length === 1 ? "object" : "objects"}`;
  return [
    ok(`${start} first pass would make ${count} to ${objects}: cloudwright plan lists them.`),
  ];
}
