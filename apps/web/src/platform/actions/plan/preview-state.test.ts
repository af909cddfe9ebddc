import type { Intent } from "@cloudwright/core/model/actions/intent";
import { describe, expect, it } from "vitest";
import { intent, shownPlan } from "../testing/intents.ts";
import { confirmationState, previewState } from "./preview-state.ts";

describe("a preview", () => {
  it.each<[Partial<Intent> | undefined, ReturnType<typeof previewState>]>([
    [undefined, { kind: "asking" }],
    [{ state: "requested" }, { kind: "asking" }],
    [{ state: "running" }, { kind: "asking" }],
    [
      { state: "verified", preview: shownPlan() },
      { kind: "answered", plan: shownPlan() },
    ],
    [
      { state: "rejected", result: "It is held.", preview: shownPlan() },
      { kind: "refused", sentence: "It is held.", plan: shownPlan() },
    ],
    [
      { state: "rejected", result: "It is not in the cluster." },
      { kind: "refused", sentence: "It is not in the cluster.", plan: undefined },
    ],
    [
      { state: "failed", result: "No answer came." },
      { kind: "failed", sentence: "No answer came." },
    ],
    [
      { state: "expired", result: "No leader took it." },
      { kind: "failed", sentence: "No leader took it." },
    ],
  ])("%j", (given, expected) => {
    expect(previewState(given === undefined ? undefined : intent(given))).toEqual(expected);
  });
});

describe("a confirmed action", () => {
  const moved = shownPlan({ planHash: "h-2" });
  it.each<[Partial<Intent>, string]>([
    [{ state: "requested" }, "waiting"],
    [{ state: "claimed" }, "waiting"],
    [{ state: "running" }, "waiting"],
    [{ state: "running", runIds: ["r-1"] }, "accepted"],
    [{ state: "verified" }, "accepted"],
    [{ state: "awaiting-approval" }, "accepted"],
    [{ state: "rejected", planHash: "h-1", preview: moved }, "moved"],
    [{ state: "rejected", planHash: "h-1" }, "ended"],
    [{ state: "failed" }, "ended"],
    [{ state: "expired" }, "ended"],
    [{ state: "cancelled" }, "ended"],
  ])("%j is %s", (given, kind) => {
    expect(confirmationState(intent(given)).kind).toBe(kind);
  });

  it("that ended says how and why", () => {
    const state = confirmationState(intent({ state: "failed", result: "The cloud refused it." }));
    expect(state).toEqual({ kind: "ended", sentence: "Failed. The cloud refused it." });
  });
});
