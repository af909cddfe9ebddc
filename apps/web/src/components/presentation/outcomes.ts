import type { IntentState } from "@cloudwright/core/model/intent";
import { t } from "@cloudwright/core/model/language/text";
import type { Outcome } from "@cloudwright/core/model/run";
import type { Presentation } from "./states.ts";

export type RunOutcome = Outcome | "running";

/** How the end of a run looks and reads (UX brief, section 2, "last run"). */
export const OUTCOME_PRESENTATION = {
  failed: {
    get label() {
      return t`Failed`;
    },
    shape: "cross",
    tone: "stuck",
    get help() {
      return t`A call failed; it is retried with increasing delays.`;
    },
  },
  timedOut: {
    get label() {
      return t`Timed out`;
    },
    shape: "clock",
    tone: "stuck",
    get help() {
      return t`No answer came in time.`;
    },
  },
  interrupted: {
    get label() {
      return t`Interrupted`;
    },
    shape: "broken-bar",
    tone: "unknown",
    get help() {
      return t`The controller stopped during this run; the next one carries on.`;
    },
  },
  blocked: {
    get label() {
      return t`Blocked`;
    },
    shape: "octagon",
    tone: "stuck",
    get help() {
      return t`It is waiting for a change to the object or for a user.`;
    },
  },
  waiting: {
    get label() {
      return t`Requeued`;
    },
    shape: "hourglass",
    tone: "waiting",
    get help() {
      return t`It runs again by itself when it is due.`;
    },
  },
  changed: {
    get label() {
      return t`Changed`;
    },
    shape: "delta",
    tone: "ok",
    get help() {
      return t`It wrote what was missing.`;
    },
  },
  unchanged: {
    get label() {
      return t`No change`;
    },
    shape: "equals",
    tone: "neutral",
    isUsual: true,
    get help() {
      return t`There was nothing to do.`;
    },
  },
  running: {
    get label() {
      return t`Running`;
    },
    shape: "half-circle",
    tone: "waiting",
    get help() {
      return t`It is under way.`;
    },
  },
} as const satisfies Record<RunOutcome, Presentation>;

const WOULD_CHANGE: Presentation = {
  get label() {
    return t`Would change`;
  },
  shape: "delta",
  tone: "waiting",
  get help() {
    return t`It would write what is missing; in dry run nothing was written.`;
  },
};

/** The same of one run: one that runs dry has changed nothing. */
export function outcomePresentation({
  outcome,
  dryRun,
}: {
  readonly outcome: RunOutcome;
  readonly dryRun: boolean;
}): Presentation {
  return dryRun && outcome === "changed" ? WOULD_CHANGE : OUTCOME_PRESENTATION[outcome];
}

export const INTENT_PRESENTATION = {
  "awaiting-approval": {
    get label() {
      return t`Awaiting approval`;
    },
    shape: "hourglass",
    tone: "held",
    get help() {
      return t`It is waiting for another person's approval; no controller can see it until then.`;
    },
  },
  requested: {
    get label() {
      return t`Requested`;
    },
    shape: "hourglass",
    tone: "waiting",
    get help() {
      return t`Recorded; the leader has not claimed it yet.`;
    },
  },
  claimed: {
    get label() {
      return t`Claimed`;
    },
    shape: "half-circle",
    tone: "waiting",
    get help() {
      return t`The leader has claimed it.`;
    },
  },
  running: {
    get label() {
      return t`Running`;
    },
    shape: "half-circle",
    tone: "waiting",
    get help() {
      return t`The leader is carrying it out.`;
    },
  },
  verified: {
    get label() {
      return t`Verified`;
    },
    shape: "disc",
    tone: "ok",
    isUsual: true,
    get help() {
      return t`The leader checked again and saw the effect.`;
    },
  },
  failed: {
    get label() {
      return t`Failed`;
    },
    shape: "cross",
    tone: "stuck",
    get help() {
      return t`It was carried out, but its effect was not observed.`;
    },
  },
  rejected: {
    get label() {
      return t`Rejected`;
    },
    shape: "octagon",
    tone: "stuck",
    get help() {
      return t`The leader refused it before the first write.`;
    },
  },
  expired: {
    get label() {
      return t`Expired`;
    },
    shape: "clock",
    tone: "unknown",
    get help() {
      return t`No leader claimed it in time; nothing was done.`;
    },
  },
  cancelled: {
    get label() {
      return t`Cancelled`;
    },
    shape: "ring-dash",
    tone: "neutral",
    get help() {
      return t`It was cancelled; nothing was done.`;
    },
  },
} as const satisfies Record<IntentState, Presentation>;
