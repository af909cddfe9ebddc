import { ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import type { CloudCall } from "./call-context.ts";
import { stepOfCall } from "./step-of-call.ts";

const REF = { provider: "sandbox", operation: "GET /v1/instances", target: "w-1" };

function call(error?: unknown): CloudCall {
  return {
    operation: REF.operation,
    target: REF.target,
    mutates: false,
    startedAt: 1_250,
    durationMs: 40,
    limiterWaitMs: 5,
    status: error === undefined ? 200 : 409,
    requestId: "r-1",
    error,
  };
}

describe("a cloud call as a step", () => {
  it("starts when its run did and has no body when it succeeded", () => {
    expect(stepOfCall(call(), 1_000, 3)).toEqual({
      system: "cloud",
      operation: REF.operation,
      target: REF.target,
      offsetMs: 250,
      durationMs: 40,
      limiterWaitMs: 5,
      attempt: 1,
      sharedBy: 3,
      status: 200,
      requestId: "r-1",
    });
  });

  it("keeps the message of the cloud's refusal, without secrets and without what is not allowed", () => {
    const body = {
      code: "quota_exceeded",
      message: "full for token=abc",
      fields: ["size"],
      headers: { authorization: "Bearer abc12345" },
    };
    const error = new ProviderError("QuotaExceeded", "full for token=abc", { ...REF, body });
    const step = stepOfCall(call(error), 1_000, 1);
    expect(step.error).toBe("full for token=***");
    expect(step.body).toEqual({
      code: "quota_exceeded",
      message: "full for token=***",
      fields: ["size"],
    });
  });

  it("has no body when no answer came", () => {
    const error = new Error("socket hang up");
    expect(stepOfCall(call(error), 1_000, 1)).not.toHaveProperty("body");
  });
});
