import type { Trigger } from "../../model/run.ts";
import { mostUrgent } from "../../reconcile/triggers.ts";
import { OTHER_ANNOTATIONS } from "./needs-update.ts";

/** Nodes came, went or changed: what is known of the balancer will do to tell the difference. */
export const NODES_CHANGED = { kind: "change", what: "nodes" } as const satisfies Trigger;

/** Whether what is known of the balancer, however old, is enough for a run of this trigger. */
export function isContentWithKnown(trigger: Trigger): boolean {
  return (
    trigger.kind === "change" &&
    (trigger.what === NODES_CHANGED.what || trigger.what === OTHER_ANNOTATIONS)
  );
}

/** The trigger that stays when a Service became due twice: the one that asks for the closer look. */
export function closestLook(earlier: Trigger, later: Trigger): Trigger {
  const urgent = mostUrgent(earlier, later);
  return isContentWithKnown(urgent) && later.kind === "change" ? later : urgent;
}
