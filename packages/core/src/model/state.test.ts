import { describe, expect, it } from "vitest";
import { type StateInput, stateAfter } from "./state.ts";

const NOW = 1_000_000;
const failing: StateInput = {
  outcome: "failed",
  couldNotObserve: false,
  fault: "passing",
  failures: 1,
  failingSinceMs: NOW,
  nowMs: NOW,
};

describe("the state after a run", () => {
  it.each<[string, Partial<StateInput>, string]>([
    ["that changed something is OK", { outcome: "changed" }, "ok"],
    ["that changed nothing is OK", { outcome: "unchanged" }, "ok"],
    ["that waits is waiting", { outcome: "waiting" }, "waiting"],
    ["that is blocked is stuck", { outcome: "blocked" }, "stuck"],
    ["that was interrupted is working", { outcome: "interrupted" }, "working"],
    ["that failed once is working", {}, "working"],
    ["that could not look is unknown, never OK", { couldNotObserve: true }, "unknown"],
    ["that failed often but not for long is working", { failures: 9 }, "working"],
    [
      "that failed for long but not often is working",
      { failures: 2, failingSinceMs: 0 },
      "working",
    ],
    [
      "that failed 3 times over 2 minutes is stuck",
      { failures: 3, failingSinceMs: NOW - 120_000 },
      "stuck",
    ],
    ["that met with what only a user can fix is stuck at once", { fault: "user" }, "stuck"],
    [
      "that could not look for want of a permission is stuck at once, too",
      { fault: "user", couldNotObserve: true },
      "stuck",
    ],
    [
      "that did all it could and met with what only a user can fix is stuck",
      { outcome: "unchanged", fault: "user" },
      "stuck",
    ],
    [
      "that waits for its time is waiting, whatever may be found then",
      { outcome: "waiting", fault: "user" },
      "waiting",
    ],
    [
      "that timed out often and for long is stuck",
      { outcome: "timedOut", couldNotObserve: true, failures: 5, failingSinceMs: 0 },
      "stuck",
    ],
  ])("%s", (_, input, state) => {
    expect(stateAfter({ ...failing, ...input })).toBe(state);
  });
});
