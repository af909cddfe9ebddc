import type {
  AUDIT_RESULTS,
  AuditEntry,
  KnownAuditAction,
} from "@cloudwright/core/model/audit/audit";
import { controllerOf, isControllerName } from "@cloudwright/core/model/controller-names";
import type { AuditRow } from "@cloudwright/store/views/views";
import { shortIdentity } from "../../components/presentation/format-text.ts";
import type { Presentation } from "../../components/presentation/states.ts";

/** What an entry is about, as the column and the filter say it. */
export const ACTION_LABELS: Readonly<Record<KnownAuditAction, string>> = {
  "node.initialise": "Initialise node",
  "node.addresses": "Write addresses",
  "node.labels": "Write labels",
  "node.shutdown-taint": "Shutdown taint",
  "node.delete": "Delete node",
  "node.hold": "Hold node",
  "node.release": "Release node",
  "node.override": "Override taint",
  "node.override-end": "End override",
  "service.finalizer": "Finalizer of Service",
  "service.status": "Publish address",
  "service.condition": "Condition of Service",
  "service.hold": "Hold Service",
  "service.release": "Release Service",
  "balancer.create": "Create load balancer",
  "balancer.adopt": "Adopt load balancer",
  "balancer.update": "Change load balancer",
  "balancer.members": "Change members",
  "balancer.delete": "Delete load balancer",
  "route.create": "Create route",
  "route.delete": "Delete route",
  "node.network-condition": "Write network condition",
  "node.pod-cidrs": "Give pod ranges",
  "volume.hold": "Hold volume",
  "volume.release": "Release volume",
  "volume.labels": "Write volume labels",
  "volume.grow": "Grow disk",
  "volume.capacity": "Write volume size",
  "claim.status": "Write claim status",
  "controller.pause": "Pause controller",
  "controller.resume": "Resume controller",
  "guard.hold": "Hold deletions",
  "guard.release": "Release deletions",
  "intent.request": "Action requested",
  "intent.approve": "Action approved",
  "intent.decline": "Action declined",
  "intent.claim": "Action claimed",
  "intent.end": "Action ended",
  "account.sign-in": "Sign in",
  "account.sign-out": "Sign out",
  "account.refused": "Refused request",
  "account.create": "Add user",
  "account.change": "Change user",
  "account.disable": "Disable user",
  "account.password": "Set password",
  "account.authenticator-add": "Add authenticator app",
  "account.authenticator-remove": "Remove authenticator app",
  "account.session-revoke": "End session",
  "account.token-create": "Create API token",
  "account.token-revoke": "Revoke API token",
  "account.webhook-create": "Add webhook",
  "account.webhook-change": "Change webhook",
  "account.webhook-remove": "Remove webhook",
  "account.webhook-secret": "New secret of webhook",
  "account.webhook-test": "Test webhook",
  "account.view-save": "Save view",
  "account.view-change": "Change saved view",
  "account.view-remove": "Remove saved view",
  "cluster.approval": "Approval by another person",
  "account.comment-add": "Add comment",
  "account.comment-withdraw": "Withdraw comment",
  "account.incident-share": "Share incident",
  "account.incident-delete": "Delete incident",
  "audit.verify": "Verify audit",
  "audit.export": "Export audit",
  "list.export": "Export list",
};

/** What came of an object, in past words; those of one's own controllers are what the Overview lists. */
const HAPPENED: Readonly<Partial<Record<KnownAuditAction, string>>> = {
  "node.initialise": "initialised",
  "node.addresses": "got its addresses",
  "node.labels": "got its labels",
  "node.shutdown-taint": "had its shutdown taint changed",
  "node.delete": "deleted",
  "node.hold": "held",
  "node.release": "released",
  "node.override": "taint overridden",
  "node.override-end": "override ended",
  "service.finalizer": "had its finalizer changed",
  "service.status": "got its address",
  "service.condition": "had its condition written",
  "service.hold": "held",
  "service.release": "released",
  "volume.hold": "held",
  "volume.release": "released",
  "balancer.create": "got its load balancer",
  "balancer.adopt": "had its load balancer adopted",
  "balancer.update": "had its load balancer changed",
  "balancer.members": "had its members changed",
  "balancer.delete": "had its load balancer deleted",
  "route.create": "got its route",
  "route.delete": "had its route deleted",
  "node.network-condition": "had its network condition written",
  "node.pod-cidrs": "got its pod ranges",
  "volume.labels": "got its zone and region",
  "volume.grow": "had its disk grown",
  "volume.capacity": "had its size written",
  "claim.status": "had its claim's size written",
  "controller.pause": "paused",
  "controller.resume": "resumed",
  "guard.hold": "had its deletion held",
  "guard.release": "had its deletions released",
};

export function happened(action: AuditEntry["action"]): string {
  return (
    Object.entries(HAPPENED).find(([known]) => known === action)?.[1] ??
    actionLabel(action).toLowerCase()
  );
}

/** A newer release may have written an action that this one has no words for. */
export function actionLabel(action: string): string {
  return Object.entries(ACTION_LABELS).find(([known]) => known === action)?.[1] ?? action;
}

/** Controllers go by the names that the other pages call them, and replicas by their short ones. */
export function actorName({ kind, name }: AuditRow["actor"]): string {
  const isController = kind === "controller" && isControllerName(name);
  return isController ? controllerOf(name).label : shortIdentity(name);
}

const PROOFS: Record<NonNullable<AuditRow["evidence"]>["proof"], string> = {
  session: "a live session of this user, which the database verified",
  "sign-in-link": "the sign-in link of this user",
  "controller-login": "a login that may write for this cluster",
  none: "nothing: nobody had signed in",
  owner: "nothing: the login owns the ledger and can name anybody",
};

/** How it is known who did what an entry says. */
export function evidenceText(evidence: AuditRow["evidence"]): string {
  if (evidence === undefined) return "not recorded by the release that wrote this entry";
  return `${PROOFS[evidence.proof]} (database login ${evidence.login})`;
}

export const RESULT_PRESENTATION = {
  applied: { label: "Applied", shape: "disc", tone: "ok", help: "It was done." },
  refused: {
    label: "Refused",
    shape: "octagon",
    tone: "stuck",
    help: "It was not allowed or not possible; nothing was done.",
  },
  failed: { label: "Failed", shape: "cross", tone: "stuck", help: "It was tried and failed." },
  unknown: {
    label: "Unknown",
    shape: "dashed-circle",
    tone: "unknown",
    help: "It was requested, but the answer was lost: it may have been done. The next check will show.",
  },
} as const satisfies Record<(typeof AUDIT_RESULTS)[number], Presentation>;

/** A newer release may know results that this one does not. */
export function resultPresentation(result: string): Presentation {
  const known = Object.entries(RESULT_PRESENTATION).find(([name]) => name === result)?.[1];
  return known ?? { label: result, shape: "dashed-circle", tone: "unknown", help: result };
}
