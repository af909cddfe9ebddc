import { AUDIT_ACTIONS } from "@cloudwright/core/model/audit/audit";
import { isOfAction, verbOfEntry } from "@cloudwright/core/model/audit/audit-verb";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { AuditRow } from "@cloudwright/store/views/views";
import { stateWord } from "../../platform/actions/state-words.ts";
import { actionLabel } from "../../platform/wording/audit-messages.ts";

/** The verbs of users' actions that no change has. */
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

const OFFERED = [
  ...["node.retry", "node.hold", "node.release", "node.override"],
  ...["service.retry", "service.hold", "service.release"],
  ...["balancer.reensure", "balancer.adopt", "balancer.remove"],
  ...["volume.retry", "volume.hold", "volume.release", "route.retry", "route-table.retry"],
  ...["controller.pause", "controller.resume", "guard.hold", "guard.release"],
  "setting.change",
  ...AUDIT_ACTIONS.filter((action) => !isOfAction(action)),
];

/** The choices of a filter: users' verbs first, then those of controllers and accounts. */
export const VERB_LABELS: Readonly<Record<string, string>> = worded(
  Object.fromEntries(OFFERED.map((verb) => [verb, () => labelOf(verb)])),
);

export interface EntryTitle {
  readonly verb: string;
  /** `requested`, `claimed`, `verified`; undefined for entries that are no step of an action. */
  readonly step: string | undefined;
  readonly isPreview: boolean;
}

const STEPS: Readonly<Record<string, string>> = worded({
  "intent.request": () => t`requested`,
  "intent.approve": () => t`approved`,
  "intent.decline": () => t`declined`,
  "intent.claim": () => t`claimed`,
  "intent.end": () => t`ended`,
});

export function entryTitle(
  entry: Pick<AuditRow, "action" | "object" | "intent" | "after">,
): EntryTitle {
  const verb = verbOfEntry(entry);
  const step = isOfAction(entry.action) ? (endState(entry) ?? STEPS[entry.action]) : undefined;
  // A newer release may have written verbs that this one has no words for; an unknown action is still an action.
  const label = isOfAction(verb) ? t`Action` : labelOf(verb);
  return { verb: label, step, isPreview: entry.intent?.isPreview === true };
}

/** The same in one line: `Hold node, requested`, `Preview: Hold node, verified`. */
export function entryTitleText(entry: Parameters<typeof entryTitle>[0]): string {
  const { verb, step, isPreview } = entryTitle(entry);
  const title = step === undefined ? verb : t`${verb}, ${step}`;
  return isPreview ? t`Preview: ${title}` : title;
}

function labelOf(verb: string): string {
  return Object.entries(OF_ACTIONS).find(([known]) => known === verb)?.[1] ?? actionLabel(verb);
}

function endState({ action, after }: Pick<AuditRow, "action" | "after">): string | undefined {
  if (action !== "intent.end" || typeof after !== "object" || after === null) return undefined;
  const state = Object.entries(after).find(([name]) => name === "state")?.[1];
  return typeof state === "string" ? stateWord(state) : undefined;
}

const ACTOR_KINDS: Readonly<Record<AuditRow["actor"]["kind"], string>> = worded({
  person: () => t`person`,
  controller: () => t`controller`,
  system: () => t`system`,
});

/** Says in which role somebody did what an entry records. */
export function actorKind(kind: AuditRow["actor"]["kind"]): string {
  return ACTOR_KINDS[kind];
}
