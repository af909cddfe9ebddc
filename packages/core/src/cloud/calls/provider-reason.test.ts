import {
  PROVIDER_ERROR_CODES,
  ProviderError,
  type ProviderErrorCode,
} from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { faultOf, pauseMs, type Reason } from "../../model/reason.ts";
import { boundedError, reasonOfProviderError } from "./provider-reason.ts";

const CALL = {
  provider: "sandbox",
  operation: "GET /v1/instances",
  target: "w-9",
  status: 400,
  requestId: "r-7",
} as const;

function failed(code: ProviderErrorCode, more: object = {}): ProviderError {
  return new ProviderError(code, "no", { ...CALL, ...more });
}

const EACH: Readonly<Record<ProviderErrorCode, Partial<Reason>>> = {
  NotFound: { code: "ProviderRefused", because: "notFound", message: "no" },
  Conflict: { code: "ProviderRefused", because: "conflict", message: "no" },
  Invalid: { code: "ProviderRefused", message: "no", status: 400 },
  Throttled: { code: "ProviderThrottled", retryAfterMs: 9_000 },
  Unauthorized: { code: "ProviderUnauthorized", message: "no", status: 400 },
  QuotaExceeded: { code: "ProviderQuotaExceeded", message: "no" },
  TimedOut: { code: "ProviderTimedOut", afterMs: 9_000 },
  Unavailable: { code: "ProviderUnavailable", message: "no", retryAfterMs: 9_000 },
  OutOfBounds: { code: "ProviderUnavailable", message: "no" },
  Unsupported: { code: "ProviderUnsupported" },
};

describe("the reason of a failed cloud call", () => {
  it.each(PROVIDER_ERROR_CODES.map((code) => [code, EACH[code]] as const))(
    "%s: has the provider, the operation and its evidence",
    (code, expected) => {
      const reason = reasonOfProviderError(failed(code, { retryAfterMs: 9_000 }));
      expect(reason).toMatchObject({
        provider: "sandbox",
        operation: "GET /v1/instances",
        ...expected,
      });
    },
  );

  it("keeps the request id for the cloud's support in every reason that names who refused", () => {
    for (const code of PROVIDER_ERROR_CODES) {
      if (code === "TimedOut" || code === "Unsupported") continue;
      expect(reasonOfProviderError(failed(code))).toMatchObject({ requestId: "r-7" });
    }
  });

  it("is the lost Lease if that held the call back, whatever its code", () => {
    expect(reasonOfProviderError(failed("Unavailable", { fenced: true }))).toEqual({
      code: "LeaseLost",
      operation: "GET /v1/instances",
    });
  });

  it("asks for a pause exactly if the cloud did", () => {
    const pause = (code: ProviderErrorCode, retryAfterMs?: number) =>
      pauseMs(reasonOfProviderError(failed(code, { retryAfterMs })));
    expect(pause("Throttled", 9_000)).toBe(9_000);
    expect(pause("Unavailable", 9_000)).toBe(9_000);
    expect(pause("Unavailable")).toBeUndefined();
    expect(pause("TimedOut", 9_000)).toBeUndefined();
  });

  it("may pass by itself if the target has changed, and is a user's if it was refused", () => {
    const fault = (code: ProviderErrorCode) => faultOf(reasonOfProviderError(failed(code)));
    expect([fault("Conflict"), fault("NotFound"), fault("TimedOut")]).toEqual(
      Array(3).fill("passing"),
    );
    expect([fault("Invalid"), fault("QuotaExceeded"), fault("Unauthorized")]).toEqual(
      Array(3).fill("user"),
    );
  });
});

describe("foreign text in an error", () => {
  const LONG = "x".repeat(5_000);

  it("is short enough for a record", () => {
    const { operation, target, requestId } = boundedError(
      failed("Invalid", { operation: LONG, target: LONG, requestId: LONG }),
    ).call;
    for (const name of [operation, target, requestId])
      expect((name ?? LONG).length).toBeLessThanOrEqual(1_024);
  });

  it("is masked where it looks like a secret, in the error and in the reason", () => {
    const error = new ProviderError("Invalid", "refused: Authorization: Bearer abc.def.ghi", CALL);
    for (const text of [boundedError(error).message, JSON.stringify(reasonOfProviderError(error))])
      expect(text).not.toContain("abc.def.ghi");
  });

  it("keeps its code, its cause and that it may have been carried out", () => {
    const cause = new Error("reset");
    const bounded = boundedError(failed("Unavailable", { mayBeDone: true, cause }));
    expect([bounded.code, bounded.call.mayBeDone, bounded.cause]).toEqual([
      "Unavailable",
      true,
      cause,
    ]);
  });
});
