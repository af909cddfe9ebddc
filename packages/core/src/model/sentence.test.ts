import { describe, expect, it } from "vitest";
import { REASON_CODES, type Reason } from "./reason.ts";
import { advice, capitalise, cause, eventMessage, nextTry, sentence } from "./sentence.ts";
import type { State } from "./state.ts";
import { CAUSES_OF_CALLS } from "./testing/causes/calls.ts";
import { CAUSES_OF_LOAD_BALANCERS } from "./testing/causes/load-balancers.ts";
import { CAUSES_OF_NODES } from "./testing/causes/nodes.ts";
import { CAUSES_OF_ROUTES_AND_VOLUMES } from "./testing/causes/routes-and-volumes.ts";
import { CAUSES_OF_USERS } from "./testing/causes/users.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);
const NODE = { kind: "Node", name: "w-9" } as const;
const LIST = "GET /v1/instances";
const LONG = "words that others wrote and that go on and on, ".repeat(30);
const failure = { provider: "sandbox", operation: LIST, message: "disk full" };
const refusal = { verb: "patch", resource: "nodes/status", message: "no such right" };

/** Every reason, in both forms if a part of it may be unknown. */
const CAUSES = [
  ...CAUSES_OF_CALLS,
  ...CAUSES_OF_NODES,
  ...CAUSES_OF_LOAD_BALANCERS,
  ...CAUSES_OF_ROUTES_AND_VOLUMES,
  ...CAUSES_OF_USERS,
];

describe("a cause", () => {
  it("is worded for every reason", () => {
    const worded = new Set(CAUSES.map(([reason]) => reason.code));
    expect(REASON_CODES.filter((code) => !worded.has(code))).toEqual([]);
  });

  it.each(CAUSES)("for $code is one sentence", (reason, wanted) => {
    expect(cause(reason)).toBe(wanted);
  });

  it.each(CAUSES)("for $code and its advice is plain", (reason) => {
    const text = eventMessage(reason);
    expect(text).not.toMatch(/[!]|please|oops|sorry|undefined|\[object|\.\.|\(\)| {2}/i);
    expect(text).toMatch(/\.$/);
  });

  it.each<[string, Reason]>([
    ["cloud's", { code: "ProviderRefused", ...failure, message: LONG, requestId: "r-6" }],
    ["Kubernetes API's", { code: "KubeRefused", ...refusal, message: LONG }],
    ["user's", { code: "HeldByAnnotation", by: "ana", why: LONG }],
    [
      "kubelet's",
      { code: "ProvidedNodeIPInvalid", annotation: LONG, problem: "not an IP address" },
    ],
  ])("shortens a %s long text, but never its evidence", (_whose, reason) => {
    const text = cause(reason);
    expect([...text].length).toBeLessThanOrEqual(200);
    expect(text).toContain("…");
    if (reason.code === "ProviderRefused") expect(text).toMatch(/… \(request r-6\)$/);
    if (reason.code === "ProvidedNodeIPInvalid") expect(text).toMatch(/…": not an IP address$/);
  });

  it("never cuts a character in half", () => {
    const message = "😀".repeat(500);
    expect(cause({ code: "Unexplained", message })).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])/,
    );
    expect(cause({ code: "Unexplained", message: `x${message}` })).not.toMatch(
      /[\ud800-\udbff](?![\udc00-\udfff])/,
    );
  });
});

describe("a diagnosis", () => {
  const reason: Reason = {
    code: "InstanceNotFound",
    provider: "sandbox",
    by: "name",
    value: "w-9",
  };

  it("has object, state, since, cause, next try and advice in this order", () => {
    const text = sentence({
      object: NODE,
      state: "stuck",
      reason,
      sinceMs: NOW - 14 * 60_000,
      nextAtMs: NOW + 120_000,
      nowMs: NOW,
    });
    expect(text).toBe(
      "Node `w-9` has been stuck for 14 min: No instance in sandbox is named w-9. Next attempt in 2 min. Check that the node's name equals its instance's name, or set its provider ID.",
    );
  });

  it.each<[State, string]>([
    ["unknown", "Node `w-9` could not be observed for 5 min: Sandbox did not answer"],
    ["waiting", "Node `w-9` has been waiting for 5 min: Sandbox did not answer"],
    ["working", "Node `w-9` has been worked on for 5 min: Sandbox did not answer"],
    ["gone", "Node `w-9` is gone: Sandbox did not answer"],
  ])("words the state %s", (state, start) => {
    const timedOut = { code: "ProviderTimedOut", provider: "sandbox", operation: LIST } as const;
    const text = sentence({
      object: NODE,
      state,
      reason: { ...timedOut, afterMs: 10_000 },
      sinceMs: NOW - 300_000,
      nowMs: NOW,
    });
    expect(text.slice(0, start.length)).toBe(start);
  });

  it("mentions the hold of a held object once", () => {
    const text = sentence({
      object: NODE,
      state: "held",
      reason: { code: "HeldByAnnotation", by: "ana", why: "disk check" },
      sinceMs: NOW - 300_000,
      nowMs: NOW,
    });
    expect(text).toBe(
      "Node `w-9` has been held for 5 min: Nothing is written to it, as ana asked: disk check. Release it when the reason no longer applies.",
    );
  });

  it("says that a retry is due when its time has come", () => {
    const text = sentence({ object: NODE, state: "working", reason, nextAtMs: NOW, nowMs: NOW });
    expect(text).toContain("The next attempt is due now.");
  });

  it("reports a healthy object's state without since and next", () => {
    const text = sentence({
      object: NODE,
      state: "ok",
      reason: { code: "InStep" },
      sinceMs: 0,
      nextAtMs: NOW,
      nowMs: NOW,
    });
    expect(text).toBe("Node `w-9` is OK: It is in sync with the cloud.");
  });

  it("has no advice if nothing has to be done", () => {
    expect(advice({ code: "NodeReady" })).toBe("");
    expect(eventMessage({ code: "NodeReady" })).toBe("The node is Ready.");
  });
});

describe("the next try", () => {
  it.each([
    [5_000, "Next attempt in 5 s."],
    [0, "The next attempt is due now."],
    [-9_000, "The next attempt is due now."],
    [-54_000, "The next attempt has been overdue for 54 s."],
  ])("in %i ms is never in the past", (inMs, text) => {
    expect(nextTry(1_000_000 + inMs, 1_000_000)).toBe(text);
  });
});

it.each([
  ["r-d259 is not a route without an owner", "r-d259 is not a route without an owner"],
  ["cloudwright.io/hold-until is no time", "cloudwright.io/hold-until is no time"],
  ["the Service is not held", "The Service is not held"],
  ["10 nodes are in sync", "10 nodes are in sync"],
])("%j begins a sentence as %j, as an ID has to stay what it is", (text, begun) => {
  expect(capitalise(text)).toBe(begun);
});

it("a cause has its times in UTC, or as the page formats them", () => {
  const reason: Reason = {
    code: "HeldByAnnotation",
    by: "ana",
    untilMs: Date.UTC(2026, 10, 24, 14, 30),
  };
  expect(cause(reason)).toContain("until 2026-11-24 14:30 UTC");
  expect(cause(reason, () => "15:30:00")).toContain("until 15:30:00,");
});
