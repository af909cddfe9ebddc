import { actionOf, actionsOn, type ObjectAction } from "@cloudwright/core/model/actions/action";
import { CONTROLLER_NAMES, carrierFor } from "@cloudwright/core/model/controller-names";
import type { Reason } from "@cloudwright/core/model/reason";
import {
  isAdoptionReason,
  refusalOfAdoption,
} from "@cloudwright/core/model/reasons/adoption-refusal";
import type { ActionChoice } from "./action-choice.ts";

/**
 * Returns the actions that can be requested for a row together with others: its retry, those that the definitions allow for its kind, and
 * an adoption if the row waits for one.
 */
export function bulkActionsOf(
  retry: ActionChoice,
  reason: Reason | undefined,
): readonly ActionChoice[] {
  const { cluster, object } = retry;
  const others = CONTROLLER_NAMES.flatMap((controller) =>
    actionsOn({ name: controller }, object.kind)
      .filter(isForMany)
      .map((kind): ActionChoice => ({ cluster, kind, controller, object })),
  );
  return [retry, ...others, ...adoptionsOf(retry, reason)];
}

/** Excludes what every controller carries out, because the row's own retry covers it. */
function isForMany(kind: ObjectAction["kind"]): boolean {
  const { inBulk, carriers } = actionOf(kind);
  return inBulk !== undefined && carriers !== "any";
}

function adoptionsOf(
  { cluster, object }: ActionChoice,
  reason: Reason | undefined,
): readonly ActionChoice[] {
  if (reason === undefined || !isAdoptionReason(reason)) return [];
  if (refusalOfAdoption(reason) !== undefined) return [];
  const isRoute = reason.code === "RouteUnowned";
  return [
    {
      ...{ cluster, kind: "adopt", object },
      controller: carrierFor("adopt", object.kind),
      ...(isRoute ? { route: reason.id } : { balancer: reason.id }),
    },
  ];
}
