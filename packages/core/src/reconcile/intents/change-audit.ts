import type { AuditEntry } from "../../model/audit/audit.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { Change, ChangeKind } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";
import { eventMessage } from "../../model/sentence.ts";

export interface AuditedChange {
  readonly id: string;
  readonly at: number;
  readonly change: Change;
  /** `unknown`: the request left, and its answer was lost. */
  readonly result: "applied" | "failed" | "unknown";
  readonly identity: { readonly cluster: string; readonly instance: string };
  readonly controller: ControllerName;
  readonly runId: string;
  readonly trigger: Trigger;
}

/** The audit entry of one change that was made or tried. */
export function auditOfChange(audited: AuditedChange): AuditEntry {
  const { id, at, change, result, identity, controller, runId, trigger } = audited;
  return {
    type: "audit",
    id,
    cluster: identity.cluster,
    at,
    actor: { kind: "controller", id: identity.instance, name: controller },
    action: ACTIONS[change.kind],
    object: change.target,
    why: why(change, trigger),
    result,
    before: change.before,
    after: change.after,
    runId,
    ...(trigger.kind === "intent" ? { intentId: trigger.intentId } : {}),
  };
}

const ACTIONS: Record<ChangeKind, AuditEntry["action"]> = {
  "node.addresses.write": "node.addresses",
  "node.initialise": "node.initialise",
  "node.labels.write": "node.labels",
  "node.shutdown-taint.add": "node.shutdown-taint",
  "node.shutdown-taint.remove": "node.shutdown-taint",
  "node.delete": "node.delete",
  "node.hold": "node.hold",
  "node.release": "node.release",
  "node.override": "node.override",
  "node.override-end": "node.override-end",
  "service.finalizer.add": "service.finalizer",
  "service.finalizer.remove": "service.finalizer",
  "service.status.write": "service.status",
  "service.condition.write": "service.condition",
  "service.hold": "service.hold",
  "service.release": "service.release",
  "balancer.create": "balancer.create",
  "balancer.adopt": "balancer.adopt",
  "balancer.update": "balancer.update",
  "balancer.members": "balancer.members",
  "balancer.delete": "balancer.delete",
  "route.create": "route.create",
  "route.delete": "route.delete",
  "node.network-condition.write": "node.network-condition",
  "node.pod-cidrs.write": "node.pod-cidrs",
  "volume.hold": "volume.hold",
  "volume.release": "volume.release",
  "volume.labels.write": "volume.labels",
  "volume.grow": "volume.grow",
  "volume.capacity.write": "volume.capacity",
  "claim.status.write": "claim.status",
  "controller.pause": "controller.pause",
  "controller.resume": "controller.resume",
  "guard.release": "guard.release",
};

function why(change: Change, trigger: Trigger): string {
  const message = eventMessage(change.reason);
  const isSaid = change.reason.code === "PersonAsked" || trigger.kind !== "intent";
  return isSaid ? message : `${message} Asked for by ${trigger.actor}.`;
}
