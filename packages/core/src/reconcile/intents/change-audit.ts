import type { AuditEntry } from "../../model/audit/audit.ts";
import { changeWhy } from "../../model/audit/change-why.ts";
import type { ControllerName } from "../../model/controller-names.ts";
import type { Change, ChangeKind } from "../../model/plan.ts";
import type { Trigger } from "../../model/run.ts";

export interface AuditedChange {
  readonly id: string;
  readonly at: number;
  readonly change: Change;
  /** `unknown`: the request was sent, and its answer was lost. */
  readonly result: "applied" | "failed" | "unknown";
  readonly identity: { readonly cluster: string; readonly instance: string };
  readonly controller: ControllerName;
  readonly runId: string;
  readonly trigger: Trigger;
}

/** Returns the audit entry of one change that was made or attempted. */
export function auditOfChange(audited: AuditedChange): AuditEntry {
  const { id, at, change, result, identity, controller, runId, trigger } = audited;
  return {
    type: "audit",
    id,
    cluster: identity.cluster,
    at,
    actor: { kind: "controller", id: identity.instance, name: controller },
    action: actionOfChange(change.kind),
    object: change.target,
    why: changeWhy(change.reason, trigger.kind === "intent" ? trigger.actor : undefined),
    result,
    before: change.before,
    after: change.after,
    runId,
    ...(trigger.kind === "intent" ? { intentId: trigger.intentId } : {}),
  };
}

/** Writing, adding and removing belong to one action: `node.addresses.write` is audited as `node.addresses`. */
function actionOfChange(kind: ChangeKind): AuditEntry["action"] {
  return kind.replace(/\.(?:write|add|remove)$/, "");
}
