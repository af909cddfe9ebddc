import type { IntentState } from "@cloudwright/core/model/actions/intent";
import { t, worded } from "@cloudwright/core/model/language/text";

export interface IntentStep {
  readonly label: string;
  readonly state: "done" | "current" | "pending" | "failed";
}

const WAY = ["requested", "claimed", "running"] as const;
const LABELS: Record<IntentState, string> = worded({
  "awaiting-approval": () => t`Awaiting approval`,
  requested: () => t`Requested`,
  claimed: () => t`Claimed`,
  running: () => t`Running`,
  verified: () => t`Verified`,
  failed: () => t`Failed`,
  rejected: () => t`Rejected`,
  expired: () => t`Expired`,
  cancelled: () => t`Cancelled`,
});

/** Returns the progress of an action: Requested → Claimed → Running → Verified, or where and how it ended instead. */
export function intentSteps(
  state: IntentState,
  reached: { readonly claimed: boolean; readonly ran: boolean },
): readonly IntentStep[] {
  if (state === "verified")
    return [...WAY, state].map((step) => ({ label: LABELS[step], state: "done" }));
  const current = WAY.indexOf(state as (typeof WAY)[number]);
  if (current >= 0) {
    return [...WAY, "verified" as const].map((step, index) => ({
      label: LABELS[step],
      state: index < current ? "done" : index === current ? "current" : "pending",
    }));
  }
  if (state === "awaiting-approval") {
    const pending = [...WAY, "verified" as const].map((step) => LABELS[step]);
    return [
      { label: LABELS[state], state: "current" },
      ...pending.map((label) => ({ label, state: "pending" as const })),
    ];
  }
  const passed = [true, reached.claimed, reached.ran];
  return [
    ...WAY.filter((_, index) => passed[index]).map((step) => ({
      label: LABELS[step],
      state: "done" as const,
    })),
    { label: LABELS[state], state: "failed" },
  ];
}
