import type {
  AUDIT_RESULTS,
  AuditEntry,
  KnownAuditAction,
} from "@cloudwright/core/model/audit/audit";
import { controllerOf, isControllerName } from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { shortIdentity } from "../../components/presentation/format-text.ts";
import { type Presentation, presentations } from "../../components/presentation/states.ts";

/** What an entry is about, as the column and the filter show it. */
const ACTION_LABELS: Readonly<Record<KnownAuditAction, string>> = worded({
  "node.initialise": () => t`Initialise node`,
  "node.addresses": () => t`Write addresses`,
  "node.labels": () => t`Write labels`,
  "node.shutdown-taint": () => t`Shutdown taint`,
  "node.delete": () => t`Delete node`,
  "node.hold": () => t`Hold node`,
  "node.release": () => t`Release node`,
  "node.override": () => t`Override taint`,
  "node.override-end": () => t`End override`,
  "service.finalizer": () => t`Finalizer of Service`,
  "service.status": () => t`Publish address`,
  "service.condition": () => t`Condition of Service`,
  "service.hold": () => t`Hold Service`,
  "service.release": () => t`Release Service`,
  "balancer.create": () => t`Create load balancer`,
  "balancer.adopt": () => t`Adopt load balancer`,
  "balancer.update": () => t`Change load balancer`,
  "balancer.members": () => t`Change members`,
  "balancer.delete": () => t`Delete load balancer`,
  "route.create": () => t`Create route`,
  "route.delete": () => t`Delete route`,
  "node.network-condition": () => t`Write network condition`,
  "node.pod-cidrs": () => t`Give pod ranges`,
  "volume.hold": () => t`Hold volume`,
  "volume.release": () => t`Release volume`,
  "volume.labels": () => t`Write volume labels`,
  "volume.grow": () => t`Grow disk`,
  "volume.capacity": () => t`Write volume size`,
  "claim.status": () => t`Write claim status`,
  "controller.pause": () => t`Pause controller`,
  "controller.resume": () => t`Resume controller`,
  "guard.hold": () => t`Hold deletions`,
  "guard.release": () => t`Release deletions`,
  "setting.change": () => t`Change setting`,
  "intent.request": () => t`Action requested`,
  "intent.approve": () => t`Action approved`,
  "intent.decline": () => t`Action declined`,
  "intent.claim": () => t`Action claimed`,
  "intent.end": () => t`Action ended`,
  "account.sign-in": () => t`Sign in`,
  "account.sign-out": () => t`Sign out`,
  "account.refused": () => t`Refused request`,
  "account.create": () => t`Add user`,
  "account.change": () => t`Change user`,
  "account.disable": () => t`Disable user`,
  "account.password": () => t`Set password`,
  "account.authenticator-add": () => t`Add authenticator app`,
  "account.authenticator-remove": () => t`Remove authenticator app`,
  "account.session-revoke": () => t`End session`,
  "account.token-create": () => t`Create API token`,
  "account.token-revoke": () => t`Revoke API token`,
  "account.webhook-create": () => t`Add webhook`,
  "account.webhook-change": () => t`Change webhook`,
  "account.webhook-remove": () => t`Remove webhook`,
  "account.webhook-secret": () => t`New secret of webhook`,
  "account.webhook-test": () => t`Test webhook`,
  "account.view-save": () => t`Save view`,
  "account.view-change": () => t`Change saved view`,
  "account.view-remove": () => t`Remove saved view`,
  "cluster.approval": () => t`Approval by another user`,
  "account.comment-add": () => t`Add comment`,
  "account.comment-withdraw": () => t`Withdraw comment`,
  "account.incident-share": () => t`Share incident`,
  "account.incident-delete": () => t`Delete incident`,
  "audit.verify": () => t`Verify audit`,
  "audit.export": () => t`Export audit`,
  "list.export": () => t`Export list`,
});

/** An object's outcomes in the past tense; those of third-party controllers come from the Overview's list. */
const HAPPENED: Readonly<Partial<Record<KnownAuditAction, string>>> = worded({
  "node.initialise": () => t`initialised`,
  "node.addresses": () => t`got its addresses`,
  "node.labels": () => t`got its labels`,
  "node.shutdown-taint": () => t`had its shutdown taint changed`,
  "node.delete": () => t`deleted`,
  "node.hold": () => t`held`,
  "node.release": () => t`released`,
  "node.override": () => t`taint overridden`,
  "node.override-end": () => t`override ended`,
  "service.finalizer": () => t`had its finalizer changed`,
  "service.status": () => t`got its address`,
  "service.condition": () => t`had its condition written`,
  "service.hold": () => t`held`,
  "service.release": () => t`released`,
  "volume.hold": () => t`held`,
  "volume.release": () => t`released`,
  "balancer.create": () => t`got its load balancer`,
  "balancer.adopt": () => t`had its load balancer adopted`,
  "balancer.update": () => t`had its load balancer changed`,
  "balancer.members": () => t`had its members changed`,
  "balancer.delete": () => t`had its load balancer deleted`,
  "route.create": () => t`got its route`,
  "route.delete": () => t`had its route deleted`,
  "node.network-condition": () => t`had its network condition written`,
  "node.pod-cidrs": () => t`got its pod ranges`,
  "volume.labels": () => t`got its zone and region`,
  "volume.grow": () => t`had its disk grown`,
  "volume.capacity": () => t`had its size written`,
  "claim.status": () => t`had its claim's size written`,
  "controller.pause": () => t`paused`,
  "controller.resume": () => t`resumed`,
  "guard.hold": () => t`had its deletion held`,
  "guard.release": () => t`had its deletions released`,
  "setting.change": () => t`had a setting changed`,
});

export function happened(action: AuditEntry["action"]): string {
  return wordedAs(HAPPENED, action) ?? actionLabel(action).toLowerCase();
}

/** A newer release may have written an action that this one has no words for. */
export function actionLabel(action: string): string {
  return wordedAs(ACTION_LABELS, action) ?? action;
}

/** Words only the requested entry. */
function wordedAs(
  table: Readonly<Partial<Record<string, string>>>,
  action: string,
): string | undefined {
  return Object.hasOwn(table, action) ? table[action] : undefined;
}

/** Controllers have the names that other pages use, and replicas their short ones. */
export function actorName({ kind, name }: AuditRow["actor"]): string {
  const isController = kind === "controller" && isControllerName(name);
  return isController ? controllerOf(name).label : shortIdentity(name);
}

const PROOFS: Record<NonNullable<AuditRow["evidence"]>["proof"], string> = worded({
  session: () => t`a live session of this user, which the database verified`,
  "sign-in-link": () => t`the sign-in link of this user`,
  "controller-login": () => t`a login that may write for this cluster`,
  none: () => t`nothing: nobody had signed in`,
  owner: () => t`nothing: the login owns the ledger and could claim to be anyone`,
});

/** Says how the actor of an entry is known. */
export function evidenceText(evidence: AuditRow["evidence"]): string {
  if (evidence === undefined) return t`not recorded by the release that wrote this entry`;
  return t`${PROOFS[evidence.proof]} (database login ${evidence.login})`;
}

export const RESULT_PRESENTATION = presentations<(typeof AUDIT_RESULTS)[number]>({
  applied: {
    label: () => t`Applied`,
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`It was done.`,
  },
  refused: {
    label: () => t`Refused`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`It was not allowed or not possible; nothing was done.`,
  },
  failed: {
    label: () => t`Failed`,
    shape: "cross",
    tone: "stuck",
    help: () => t`It was tried and failed.`,
  },
  unknown: {
    label: () => t`Unknown`,
    shape: "dashed-circle",
    tone: "unknown",
    help: () =>
      t`It was requested, but the answer was lost: it may have been done. The next check will show.`,
  },
});

/** A newer release may have results that this one does not know. */
export function resultPresentation(result: string): Presentation {
  const known = Object.entries(RESULT_PRESENTATION).find(([name]) => name === result)?.[1];
  return known ?? { label: result, shape: "dashed-circle", tone: "unknown", help: result };
}
