import { AUDIT_ACTIONS } from "@cloudwright/core/model/audit/audit";
import { isOfAction, verbOfEntry } from "@cloudwright/core/model/audit/audit-verb";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { ACTION_LABELS, actionLabel } from "../../platform/wording/audit-messages.ts";

/** Verbs of users' actions that have no change of the same name. */
const OF_ACTIONS = worded({
  "node.retry": () => t`Retry node`,
  "service.retry": () => t`Retry Service`,
  "balancer.retry": () => t`Retry load balancer`,
  "volume.retry": () => t`Retry volume`,
  "route.retry": () => t`Retry route`,
  "route-table.retry": () => t`Retry route table`,
  "controller.retry": () => t`Retry controller`,
  "balancer.hold": () => t`Hold load balancer`,
  "balancer.release": () => t`Release load balancer`,
  "balancer.reensure": () => t`Write load balancer again`,
  "service.abandon": () => t`Let Service go without its load balancer`,
  "balancer.adopt": () => t`Adopt load balancer`,
  "balancer.remove": () => t`Remove load balancer`,
});

/** What a filter offers: what users do first, then what controllers and accounts do. */
export const VERB_LABELS: Readonly<Record<string, string>> = {
  ...of(["node.retry", "node.hold", "node.release", "node.override"]),
  ...of(["service.retry", "service.hold", "service.release"]),
  ...of(["balancer.reensure", "balancer.adopt", "balancer.remove"]),
  ...of(["volume.retry", "volume.hold", "volume.release", "route.retry", "route-table.retry"]),
  ...of(["controller.pause", "controller.resume", "guard.hold", "guard.release"]),
  ...of(AUDIT_ACTIONS.filter((action) => !isOfAction(action))),
};

function of(verbs: readonly (keyof typeof OF_ACTIONS | keyof typeof ACTION_LABELS)[]) {
  const labels: Readonly<Record<string, string>> = { ...ACTION_LABELS, ...OF_ACTIONS };
  return Object.fromEntries(verbs.map((verb) => [verb, labels[verb] ?? verb]));
}

/** What an entry is called, and how far the action that it is part of had come. */
export interface EntryTitle {
  readonly verb: string;
  /** `requested`, `claimed`, `verified`; undefined for what is no step of an action. */
  readonly testbed: string | undefined;
  readonly isPreview: boolean;
}

const STAGES: Readonly<Record<string, string>> = {
  "intent.request": "requested",
  "intent.approve": "approved",
  "intent.decline": "declined",
  "intent.claim": "claimed",
  "intent.end": "ended",
};

export function entryTitle(
  entry: Pick<AuditRow, "action" | "object" | "intent" | "after">,
): EntryTitle {
  const verb = verbOfEntry(entry);
  const testbed = isOfAction(entry.action) ? (endState(entry) ?? STAGES[entry.action]) : undefined;
  // A newer release may have written verbs that this one has no words for, and what it does not understand is still an action.
  const label = isOfAction(verb) ? t`Action` : labelOf(verb);
  return { verb: label, testbed, isPreview: entry.intent?.isPreview === true };
}

/** The same in one line: `Hold node, requested`, `Preview: Hold node, verified`. */
export function entryTitleText(entry: Parameters<typeof entryTitle>[0]): string {
  const { verb, testbed, isPreview } = entryTitle(entry);
  return `${isPreview ? "Preview: " : ""}${verb}${testbed === undefined ? "" : `, ${testbed}`}`;
}

function labelOf(verb: string): string {
  return Object.entries(OF_ACTIONS).find(([known]) => known === verb)?.[1] ?? actionLabel(verb);
}

function endState({ action, after }: Pick<AuditRow, "action" | "after">): string | undefined {
  if (action !== "intent.end" || typeof after !== "object" || after === null) return undefined;
  const state = Object.entries(after).find(([name]) => name === "state")?.[1];
  return typeof state === "string" ? state : undefined;
}
