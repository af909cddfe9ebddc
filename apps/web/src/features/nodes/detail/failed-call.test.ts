import { describe, expect, it } from "vitest";
import { controllerState } from "../../../testing/node-detail.ts";
import { runDetail, runEnd, runRow, runStep } from "../../../testing/run-detail.ts";
import { failedCallOf, failedRunOf } from "./failed-call.ts";

describe("the run with the last failed call", () => {
  it("is the newest that did not complete", () => {
    const controllers = [
      controllerState({ outcome: "failed", state: "stuck", runId: "r-1", at: 1 }),
      controllerState({ outcome: "blocked", state: "stuck", runId: "r-2", at: 3 }),
      controllerState({ outcome: "changed", state: "ok", runId: "r-3", at: 9 }),
      controllerState({ outcome: "waiting", state: "ok", runId: "r-4", at: 9 }),
    ];
    expect(failedRunOf({ controllers })?.runId).toBe("r-2");
    expect(failedRunOf({ controllers: controllers.slice(2) })).toBeUndefined();
  });
});

describe("the last failed call of a run", () => {
  const of = (...steps: readonly Parameters<typeof runStep>[0][]) => {
    const row = runRow({ startedAt: 1_000 });
    return failedCallOf({ row, end: runEnd(row, [], { steps: steps.map(runStep) }) });
  };

  it("is undefined if all calls succeeded, or the run has not ended", () => {
    expect(of({ status: 200 })).toBeUndefined();
    expect(failedCallOf(runDetail({ end: undefined }))).toBeUndefined();
  });

  it("is the last one that was refused or unanswered, with the time it was sent", () => {
    const call = of(
      { operation: "GET /a", status: 404 },
      { operation: "GET /b", status: undefined, error: "timed out", offsetMs: 20 },
      { operation: "GET /c", status: 200 },
    );
    expect(call).toMatchObject({ at: 1_020, step: { operation: "GET /b" }, message: undefined });
  });

  it.each([
    [{ message: "quota" }, "quota"],
    [{ error: { code: 403, message: "quota" } }, "quota"],
    [{ NeutronError: { type: "OverQuota", Message: "quota" } }, "quota"],
    [{ code: 403 }, undefined],
    [null, undefined],
  ])("has the answer's message: %j", (body, message) => {
    expect(of({ status: 403, body })?.message).toBe(message);
  });
});
