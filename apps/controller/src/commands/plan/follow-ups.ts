import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { ChangeKind } from "@cloudwright/core/model/plan";
import { MODULES } from "../../modules.ts";
import type { PlanPreview } from "./planned-object.ts";

/** What a controller would do next, once a change of the plan is made. A plan looks at the cluster and the cloud as they are. */
export interface FollowUp {
  readonly after: ChangeKind;
  readonly controller: ControllerName;
  readonly what: string;
}

/** What follows from the changes of a plan, and is not in it, by the controllers that run; each once. */
export function followUpsOf({
  objects,
  running,
}: Pick<PlanPreview, "objects" | "running">): readonly FollowUp[] {
  const planned = new Set(objects.flatMap(({ run }) => run.changes.map(({ kind }) => kind)));
  const busy = new Set(objects.map(({ run }) => run.controller));
  return MODULES.filter(
    ({ name, followsItself }) =>
      running.includes(name) && (followsItself !== true || busy.has(name)),
  ).flatMap(({ name: controller, followUps = {} }) =>
    Object.entries(followUps).flatMap(([after, what]) =>
      what !== undefined && planned.has(after) ? [{ after, controller, what }] : [],
    ),
  );
}
