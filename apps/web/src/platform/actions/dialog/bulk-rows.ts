import type { Intent } from "@cloudwright/core/model/actions/intent";
import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { t } from "@cloudwright/core/model/language/text";
import type { Next } from "@cloudwright/core/model/plan";
import { holdIn } from "@cloudwright/core/model/reason";
import { causeOf } from "@cloudwright/core/model/sentence";
import { countOf } from "../../wording/action-title.ts";
import type { ActionChoice } from "../action-choice.ts";
import { type BulkOf, bulkCount } from "../bulk-choice.ts";
import type { ShownPlan } from "../plan/plan-facts.ts";
import { confirmationState, type PreviewState } from "../plan/preview-state.ts";

/** One target of a bulk action: its plan, and the outcome of its own request. */
export interface BulkRow {
  readonly target: ActionChoice;
  readonly preview: PreviewState;
  /** Its action once it has been requested. */
  readonly requested: Intent | undefined;
  /** Why its request was refused. */
  readonly problem: string | undefined;
}

export interface BulkStanding {
  readonly kind: "asking" | "ready" | "leftOut" | "waiting" | "done" | "moved" | "ended";
  readonly text: string;
  /** The plan that a confirmation would be bound to. */
  readonly plan?: ShownPlan;
}

export function standingOf({ preview, requested, problem }: BulkRow): BulkStanding {
  if (problem !== undefined) return { kind: "ended", text: problem };
  return requested === undefined ? beforeRequest(preview) : afterRequest(requested);
}

/** Reports whether a confirmation requests this row. */
export function isConfirmable({ kind }: BulkStanding): boolean {
  return kind === "ready" || kind === "moved";
}

/** `2 of 3 nodes would change, 1 left out.` */
export function bulkSentence(standings: readonly BulkStanding[], of: BulkOf): string {
  const count = (kind: BulkStanding["kind"]) =>
    standings.filter((standing) => standing.kind === kind).length;
  const asking = count("asking");
  if (asking > 0) return t`Asking the leader for ${countOf(asking, "plan")}…`;
  const changing = standings.filter(({ plan }) => (plan?.changes.length ?? 0) > 0).length;
  const parts = [
    t`${changing} of ${bulkCount(of, standings.length)} would change`,
    ...counted(count("leftOut"), (some) => t`${some} left out`),
    ...counted(count("moved"), (some) => t`${some} changed since: review again`),
    ...counted(count("waiting"), (some) => t`${some} requested`),
    ...counted(count("done"), (some) => t`${some} accepted`),
    ...counted(count("ended"), (some) => t`${some} not done`),
  ];
  return t`${parts.join(", ")}.`;
}

function counted(count: number, say: (count: number) => string): readonly string[] {
  return count === 0 ? [] : [say(count)];
}

function beforeRequest(preview: PreviewState): BulkStanding {
  switch (preview.kind) {
    case "asking":
      return { kind: "asking", text: t`Asking the leader…` };
    case "refused":
    case "failed":
      return { kind: "leftOut", text: t`Left out: ${preview.sentence}` };
    case "answered":
      return planned(preview.plan);
  }
}

function planned(plan: ShownPlan): BulkStanding {
  const { changes, next } = plan;
  const isHeld = changes.length === 0 && holdIn(next.reason) !== undefined;
  if (isHeld) return { kind: "leftOut", text: t`Left out: ${causeOf(next.reason)}.` };
  return { kind: "ready", text: planLine(plan), plan };
}

function afterRequest(requested: Intent): BulkStanding {
  const state = confirmationState(requested);
  switch (state.kind) {
    case "accepted":
      return {
        kind: "done",
        text:
          requested.state === "awaiting-approval"
            ? t`Waits for another user's approval.`
            : t`Accepted by the leader.`,
      };
    case "moved":
      return {
        kind: "moved",
        text: t`The plan has changed since it was shown; nothing was done. Now: ${planLine(state.plan)}`,
        plan: state.plan,
      };
    case "ended":
      return { kind: wasTaken(requested) ? "done" : "ended", text: state.sentence };
    case "open":
    case "waiting":
      return { kind: "waiting", text: t`Requested.` };
  }
}

/** Reports whether an ended action ran: if it failed, the tray shows that. One that is rejected in its run was never accepted. */
function wasTaken({ state, runIds }: Intent): boolean {
  return runIds.length > 0 && state !== "rejected";
}

/** Reports whether nothing is left to say of what follows: the reason of a hold or release is the request itself. */
export function isAsRequested({ kind, reason }: Next): boolean {
  return kind === "settled" || reason.code === "PersonAsked" || holdIn(reason) !== undefined;
}

/** Summarizes in one line what a plan would do and what would remain. */
function planLine({ changes, next }: ShownPlan): string {
  if (changes.length === 0) return t`Nothing would change: ${causeOf(next.reason)}.`;
  const titles = t`${changes.map((change) => changeTitle(change)).join("; ")}.`;
  if (isAsRequested(next)) return titles;
  const because = causeOf(next.reason);
  const then =
    next.kind === "waiting"
      ? t`It would then wait: ${because}.`
      : t`It would not be finished: ${because}.`;
  return `${titles} ${then}`;
}
