import { describe, expect, it } from "vitest";
import type { Reason } from "./reason.ts";
import { advice, cause, eventMessage, sentence } from "./sentence.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);
const NODE = { kind: "Node", name: "w-9" } as const;
const failure = { provider: "sandbox", operation: "GET /v1/instances", message: "disk full" };
const refusal = { verb: "patch", resource: "nodes/status", message: "no such right" };

const CAUSES: readonly [Reason, string][] = [
  [
    { code: "InstanceNotFound", provider: "sandbox", by: "name", value: "w-9", requestId: "r-1" },
    "No instance in sandbox is named w-9 (request r-1)",
  ],
  [
    { code: "InstanceNotFound", provider: "sandbox", by: "providerID", value: "sandbox://i-1" },
    "No instance in sandbox has the provider ID sandbox://i-1",
  ],
  [
    { code: "InstanceUnclaimed", provider: "sandbox" },
    "Sandbox returned no data for it and says that it is not its own",
  ],
  [
    {
      code: "ProviderThrottled",
      provider: "sandbox",
      operation: "GET /v1/instances",
      retryAfterMs: 3_000,
    },
    "Sandbox allows no more calls for now (429 on GET /v1/instances, it asked for 3 s)",
  ],
  [
    { code: "ProviderUnauthorized", ...failure, status: 401, requestId: "r-2" },
    "Sandbox refused our credentials on GET /v1/instances (status 401, request r-2)",
  ],
  [
    { code: "ProviderUnavailable", ...failure, status: 500 },
    "Sandbox failed on GET /v1/instances: disk full (status 500)",
  ],
  [
    {
      code: "ProviderTimedOut",
      provider: "sandbox",
      operation: "GET /v1/instances",
      afterMs: 10_000,
    },
    "Sandbox gave no answer to GET /v1/instances within 10 s",
  ],
  [
    { code: "ProviderQuotaExceeded", ...failure, status: 409 },
    "A quota of sandbox is used up: disk full (status 409)",
  ],
  [
    { code: "ProviderRefused", ...failure },
    "Sandbox refused GET /v1/instances: disk full (no status)",
  ],
  [
    { code: "ProviderUnsupported", provider: "sandbox", operation: "routes" },
    "Sandbox does not offer routes",
  ],
  [
    { code: "CloudListsNothing", provider: "sandbox", nodes: 12 },
    "Sandbox lists no instance at all while 12 nodes say they run there",
  ],
  [
    { code: "ProviderIDMissing", provider: "sandbox" },
    "Sandbox gives this instance no provider ID",
  ],
  [
    { code: "ProviderIDMalformed", providerID: "i-1", expected: "sandbox://<id>" },
    "The provider ID i-1 has not the form sandbox://<id>",
  ],
  [
    { code: "ProviderIDDuplicate", providerID: "sandbox://i-1", other: "w-8" },
    "Node w-8 has the same provider ID sandbox://i-1",
  ],
  [
    { code: "ForeignNode", providerID: "aws:///i-1", provider: "sandbox" },
    "Its provider ID aws:///i-1 belongs to another cloud than sandbox",
  ],
  [
    { code: "ProvidedNodeIPUnknown", wanted: "10.9.9.9", cloudHas: [] },
    "The kubelet's node IP 10.9.9.9 is not among the addresses that the cloud knows (none)",
  ],
  [
    { code: "KubeForbidden", ...refusal },
    "The Kubernetes API forbids patch nodes/status: no such right",
  ],
  [
    { code: "InstanceGone", provider: "sandbox", providerID: "sandbox://i-1", requestId: "r-3" },
    "Sandbox said twice that sandbox://i-1 does not exist (request r-3)",
  ],
  [{ code: "HeldByAnnotation", by: "ana", why: "disk check" }, "It is held by ana: disk check"],
  [
    { code: "Unexplained", message: "x is not a function" },
    "Cause unknown; the last error was: x is not a function",
  ],
];

describe("a cause", () => {
  it.each(CAUSES)("of $code is said in one sentence", (reason, wanted) => {
    expect(cause(reason)).toBe(wanted);
  });

  it.each(CAUSES)("of $code and its advice stay plain", (reason) => {
    const text = eventMessage(reason);
    expect(text).not.toMatch(/[!]|please|oops|sorry|undefined|\[object/i);
    expect(cause(reason).length).toBeLessThanOrEqual(200);
    expect(text).toMatch(/\.$/);
  });
});

describe("a diagnosis", () => {
  const reason: Reason = {
    code: "InstanceNotFound",
    provider: "sandbox",
    by: "name",
    value: "w-9",
  };

  it("names thing, state, since, cause, next try and advice in this order", () => {
    const text = sentence({
      object: NODE,
      state: "stuck",
      reason,
      sinceMs: NOW - 14 * 60_000,
      nextAtMs: NOW + 120_000,
      nowMs: NOW,
    });
    expect(text).toBe(
      "Node `w-9` is stuck for 14 min: No instance in sandbox is named w-9. Next try in 2 min. Check that the node's name equals its instance's name, or set its provider ID.",
    );
  });

  it("says that a try is due when its time has come", () => {
    const text = sentence({ object: NODE, state: "working", reason, nextAtMs: NOW, nowMs: NOW });
    expect(text).toContain("The next try is due now.");
  });

  it("tells a healthy thing's state without since and next", () => {
    const text = sentence({
      object: NODE,
      state: "ok",
      reason: { code: "InStep" },
      sinceMs: 0,
      nextAtMs: NOW,
      nowMs: NOW,
    });
    expect(text).toBe("Node `w-9` is OK: It agrees with the cloud.");
  });

  it("has no advice where nothing is to be done", () => {
    expect(advice({ code: "NodeReady" })).toBe("");
    expect(eventMessage({ code: "NodeReady" })).toBe("The node is Ready.");
  });
});
