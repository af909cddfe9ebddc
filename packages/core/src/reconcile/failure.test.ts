import { PROVIDER_ERROR_CODES, ProviderError } from "@cloudwright/provider-api";
import { describe, expect, it } from "vitest";
import { KUBE_ERROR_CODES, KubeError } from "../kube/errors.ts";
import { faultOf } from "../model/reason.ts";
import {
  causeOf,
  couldNotObserve,
  isFenced,
  isStale,
  mayBeDone,
  reasonOfError,
  retryAfterMs,
} from "./failure.ts";
import { ObserveAgain } from "./run/observe-again.ts";

const CLOUD = { provider: "s", operation: "GET /x" };
const KUBE = { verb: "patch", resource: "nodes" };

function cloud(code: ProviderError["code"], more: object = {}): ProviderError {
  return new ProviderError(code, "it said no", { ...CLOUD, ...more });
}

function kube(code: KubeError["code"], more: object = {}): KubeError {
  return new KubeError(code, "it said no", { ...KUBE, ...more });
}

describe("the reason of a thrown error", () => {
  it.each([
    ["Throttled", "ProviderThrottled", "passing"],
    ["Unauthorized", "ProviderUnauthorized", "user"],
    ["QuotaExceeded", "ProviderQuotaExceeded", "user"],
    ["TimedOut", "ProviderTimedOut", "passing"],
    ["Unsupported", "ProviderUnsupported", "user"],
    ["NotFound", "ProviderRefused", "passing"],
    ["Conflict", "ProviderRefused", "passing"],
    ["Invalid", "ProviderRefused", "user"],
    ["OutOfBounds", "ProviderUnavailable", "passing"],
    ["Unavailable", "ProviderUnavailable", "passing"],
  ] as const)("by the cloud: %s is %s, which is for the %s to fix", (code, reason, fault) => {
    const made = reasonOfError(cloud(code));
    expect([made.code, faultOf(made)]).toEqual([reason, fault]);
  });

  it.each([
    ["Forbidden", "KubeForbidden", "user"],
    ["Unauthorized", "KubeForbidden", "user"],
    ["Conflict", "KubeConflict", "passing"],
    ["AlreadyExists", "KubeConflict", "passing"],
    ["Throttled", "KubeThrottled", "passing"],
    ["Invalid", "KubeRefused", "user"],
    ["Unavailable", "KubeUnavailable", "passing"],
    ["Gone", "KubeUnavailable", "passing"],
    ["NotFound", "ObjectGone", "none"],
  ] as const)("by the API server: %s is %s, which is for the %s to fix", (code, reason, fault) => {
    const made = reasonOfError(kube(code));
    expect([made.code, faultOf(made)]).toEqual([reason, fault]);
  });

  it("is the lost Lease when that held the write back, whatever the error is called", () => {
    for (const code of PROVIDER_ERROR_CODES) {
      expect(reasonOfError(cloud(code, { fenced: true }))).toEqual({
        code: "LeaseLost",
        operation: "GET /x",
      });
    }
    for (const code of KUBE_ERROR_CODES) {
      expect(reasonOfError(kube(code, { fenced: true }))).toEqual({
        code: "LeaseLost",
        operation: "patch nodes",
      });
    }
  });

  it.each([
    ["an unknown error", new TypeError("x is not a function"), "x is not a function"],
    ["a text", "down", "down"],
    ["nothing", undefined, "undefined"],
  ])("of %s is unexplained", (_what, thrown, message) => {
    expect(reasonOfError(thrown)).toEqual({ code: "Unexplained", message });
  });

  it("holds no secret, wherever the secret came from", () => {
    const secret = "Authorization: Bearer abcdefghijklmnop.secret-token";
    const thrown = [
      new Error(secret),
      new KubeError("Unavailable", secret, KUBE),
      new ProviderError("Unavailable", secret, CLOUD),
    ];
    for (const error of thrown) {
      expect(JSON.stringify(reasonOfError(error))).not.toContain("secret-token");
    }
  });

  it("of a provider that brings its own copy of the error class and bounds no text is bounded as well", () => {
    const long = "x".repeat(100_000);
    const made = reasonOfError(cloud("Throttled", { operation: long, requestId: long }));
    expect(JSON.stringify(made).length).toBeLessThan(5_000);
  });

  it("keeps how long the call waited, and how long it was asked to wait", () => {
    expect(reasonOfError(cloud("TimedOut", { retryAfterMs: 10_000 }))).toMatchObject({
      afterMs: 10_000,
    });
    expect(reasonOfError(cloud("Throttled", { retryAfterMs: 10_000 }))).toMatchObject({
      retryAfterMs: 10_000,
    });
  });
});

describe("whether to observe again at once", () => {
  it("is true for what has changed or disappeared since, in cluster and cloud", () => {
    const stale = (codes: readonly string[], make: (code: never) => Error) =>
      codes.filter((code) => isStale(make(code as never)));
    expect(stale(PROVIDER_ERROR_CODES, cloud).toSorted()).toEqual(["Conflict", "NotFound"]);
    expect(stale(KUBE_ERROR_CODES, kube).toSorted()).toEqual(["Conflict", "NotFound"]);
  });

  it("is false for any other error, whatever its name", () => {
    expect(isStale(Object.assign(new Error("no"), { code: "Conflict" }))).toBe(false);
    expect(isStale("Conflict")).toBe(false);
  });

  it("is no failure of its own: the cause is the failure behind it", () => {
    const first = cloud("Conflict");
    expect(causeOf(new ObserveAgain("w-1", first))).toBe(first);
    expect(causeOf(first)).toBe(first);
  });
});

describe("a write whose answer was lost", () => {
  it.each([
    ["the cloud's", cloud("Unavailable", { mayBeDone: true }), true],
    ["the API server's", kube("Unavailable", { mayBeDone: true }), true],
    ["one that was refused", kube("Forbidden"), false],
    ["one that never left", cloud("Unavailable", { mayBeDone: false }), false],
    ["an unknown error", Object.assign(new Error("x"), { call: { mayBeDone: true } }), false],
  ])("may have been made: %s", (_whose, error, may) => {
    expect(mayBeDone(error)).toBe(may);
  });

  it("is distinguished from one that was never sent", () => {
    expect(isFenced(kube("Unavailable", { fenced: true }))).toBe(true);
    expect(isFenced(kube("Unavailable", { mayBeDone: true }))).toBe(false);
    expect(isFenced(new Error("x"))).toBe(false);
  });
});

describe("the requested wait", () => {
  it.each([
    ["as the cloud said", cloud("Throttled", { retryAfterMs: 5_000 }), 5_000],
    ["as the API server said", kube("Throttled", { retryAfterMs: 1_000 }), 1_000],
    ["nothing where it said at once", kube("Throttled", { retryAfterMs: 0 }), undefined],
    ["nothing where it said nothing", cloud("Throttled"), undefined],
    [
      "nothing of what timed out, which carries how long we waited",
      cloud("TimedOut", { retryAfterMs: 9_000 }),
      undefined,
    ],
    ["nothing of an unknown error", new Error("x"), undefined],
  ])("%s", (_how, error, ms) => {
    expect(retryAfterMs(error)).toBe(ms);
  });
});

it.each([
  [cloud("Unavailable"), true],
  [cloud("Unauthorized"), true],
  [cloud("Throttled"), true],
  [cloud("QuotaExceeded"), false],
  [cloud("Invalid"), false],
  [kube("Unavailable"), true],
  [kube("Conflict"), false],
  [kube("Forbidden", { verb: "patch" }), false],
  [kube("Forbidden", { verb: "list" }), true],
])("%s means that the state could not be observed: %s", (error, is) => {
  expect(couldNotObserve(reasonOfError(error))).toBe(is);
});
