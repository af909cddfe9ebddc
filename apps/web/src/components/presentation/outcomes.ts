import type { IntentState } from "@cloudwright/core/model/intent";
import type { Outcome, Trigger } from "@cloudwright/core/model/run";
import type { Presentation } from "./states.ts";

export type RunOutcome = Outcome | "running";

/** How the end of a run looks and reads (UX brief, section 2, "last run"). */
export const OUTCOME_PRESENTATION = {
  failed: {
    label: "Failed",
    shape: "cross",
    tone: "stuck",
    help: "A call failed; it is retried with increasing delays.",
  },
  timedOut: {
    label: "Timed out",
    shape: "clock",
    tone: "stuck",
    help: "No answer came in time.",
  },
  interrupted: {
    label: "Interrupted",
    shape: "broken-bar",
    tone: "unknown",
    help: "The controller stopped during this run; the next one carries on.",
  },
  blocked: {
    label: "Blocked",
    shape: "octagon",
    tone: "stuck",
    help: "It is waiting for a change to the object or for a user.",
  },
  waiting: {
    label: "Requeued",
    shape: "hourglass",
    tone: "waiting",
    help: "It runs again by itself when it is due.",
  },
  changed: {
    label: "Changed",
    shape: "delta",
    tone: "ok",
    help: "It wrote what was missing.",
  },
  unchanged: {
    label: "No change",
    shape: "equals",
    tone: "neutral",
    help: "There was nothing to do.",
  },
  running: {
    label: "Running",
    shape: "half-circle",
    tone: "waiting",
    help: "It is under way.",
  },
} as const satisfies Record<RunOutcome, Presentation>;

const WOULD_CHANGE: Presentation = {
  label: "Would change",
  shape: "delta",
  tone: "waiting",
  help: "It would write what is missing; in dry run nothing was written.",
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
    label: "Awaiting approval",
    shape: "hourglass",
    tone: "held",
    help: "It waits for another person's approval; no controller can see it before.",
  },
  requested: {
    label: "Requested",
    shape: "hourglass",
    tone: "waiting",
    help: "Recorded; the leader has not claimed it yet.",
  },
  claimed: {
    label: "Claimed",
    shape: "half-circle",
    tone: "waiting",
    help: "The leader has claimed it.",
  },
  running: {
    label: "Running",
    shape: "half-circle",
    tone: "waiting",
    help: "The leader is carrying it out.",
  },
  verified: {
    label: "Verified",
    shape: "disc",
    tone: "ok",
    help: "The leader checked again and saw the effect.",
  },
  failed: {
    label: "Failed",
    shape: "cross",
    tone: "stuck",
    help: "It was carried out, but its effect was not observed.",
  },
  rejected: {
    label: "Rejected",
    shape: "octagon",
    tone: "stuck",
    help: "The leader refused it before the first write.",
  },
  expired: {
    label: "Expired",
    shape: "clock",
    tone: "unknown",
    help: "No leader claimed it in time; nothing was done.",
  },
  cancelled: {
    label: "Cancelled",
    shape: "ring-dash",
    tone: "neutral",
    help: "It was cancelled; nothing was done.",
  },
} as const satisfies Record<IntentState, Presentation>;

export function triggerText(trigger: Trigger): string {
  switch (trigger.kind) {
    case "change":
      return trigger.what;
    case "period":
      return "periodic look";
    case "retry":
      return "automatic retry";
    case "start":
      return "start or failover";
    case "intent":
      return `requested by ${trigger.actor}`;
  }
}
