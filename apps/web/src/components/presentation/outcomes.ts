import type { IntentState } from "@cloudwright/core/model/actions/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { Outcome } from "@cloudwright/core/model/run";
import { type Presentation, presentations, presented } from "./states.ts";

export type RunOutcome = Outcome | "running";

/** How the end of a run looks and reads (UX brief, section 2, "last run"). */
export const OUTCOME_PRESENTATION = presentations<RunOutcome>({
  failed: {
    label: () => t`Failed`,
    shape: "cross",
    tone: "stuck",
    help: () => t`A call failed; it is retried with increasing delays.`,
  },
  timedOut: {
    label: () => t`Timed out`,
    shape: "clock",
    tone: "stuck",
    help: () => t`No answer came in time.`,
  },
  interrupted: {
    label: () => t`Interrupted`,
    shape: "broken-bar",
    tone: "unknown",
    help: () => t`The controller stopped during this run; the next one carries on.`,
  },
  blocked: {
    label: () => t`Blocked`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`It is waiting for a change to the object or for a user.`,
  },
  waiting: {
    label: () => t`Requeued`,
    shape: "hourglass",
    tone: "waiting",
    help: () => t`It runs again by itself when it is due.`,
  },
  changed: {
    label: () => t`Changed`,
    shape: "delta",
    tone: "ok",
    help: () => t`It wrote what was missing.`,
  },
  unchanged: {
    label: () => t`No change`,
    shape: "equals",
    tone: "neutral",
    isUsual: true,
    help: () => t`There was nothing to do.`,
  },
  running: {
    label: () => t`Running`,
    shape: "half-circle",
    tone: "waiting",
    help: () => t`It is under way.`,
  },
});

const WOULD_CHANGE = presented({
  label: () => t`Would change`,
  shape: "delta",
  tone: "waiting",
  help: () => t`It would write what is missing; in dry run nothing was written.`,
});

/** The same for one run: a dry run has changed nothing. */
export function outcomePresentation({
  outcome,
  dryRun,
}: {
  readonly outcome: RunOutcome;
  readonly dryRun: boolean;
}): Presentation {
  return dryRun && outcome === "changed" ? WOULD_CHANGE : OUTCOME_PRESENTATION[outcome];
}

/** A record that is damaged or was written by a newer release. */
export const UNREADABLE = presented({
  label: () => t`Cannot be read`,
  shape: "dashed-circle",
  tone: "unknown",
  help: () => t`A newer release wrote it, or its row is damaged.`,
});

export const INTENT_PRESENTATION = presentations<IntentState>({
  "awaiting-approval": {
    label: () => t`Awaiting approval`,
    shape: "hourglass",
    tone: "held",
    help: () => t`It is waiting for another user's approval; no controller can see it until then.`,
  },
  requested: {
    label: () => t`Requested`,
    shape: "hourglass",
    tone: "waiting",
    help: () => t`Recorded; the leader has not claimed it yet.`,
  },
  claimed: {
    label: () => t`Claimed`,
    shape: "half-circle",
    tone: "waiting",
    help: () => t`The leader has claimed it.`,
  },
  running: {
    label: () => t`Running`,
    shape: "half-circle",
    tone: "waiting",
    help: () => t`The leader is carrying it out.`,
  },
  verified: {
    label: () => t`Verified`,
    shape: "disc",
    tone: "ok",
    isUsual: true,
    help: () => t`The leader checked again and saw the effect.`,
  },
  failed: {
    label: () => t`Failed`,
    shape: "cross",
    tone: "stuck",
    help: () => t`It was carried out, but its effect was not observed.`,
  },
  rejected: {
    label: () => t`Rejected`,
    shape: "octagon",
    tone: "stuck",
    help: () => t`The leader refused it before the first write.`,
  },
  expired: {
    label: () => t`Expired`,
    shape: "clock",
    tone: "unknown",
    help: () => t`No leader claimed it in time; nothing was done.`,
  },
  cancelled: {
    label: () => t`Cancelled`,
    shape: "ring-dash",
    tone: "neutral",
    help: () => t`It was cancelled; nothing was done.`,
  },
});
