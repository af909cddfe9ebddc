import { describe, expect, it } from "vitest";
import { callTerm, parseRunFilter, toggleTerm, withoutTerm } from "./run-grammar.ts";

describe("the filter language of runs", () => {
  it.each([
    ["", {}],
    ["controller:node", { controller: "cloud-node-controller" }],
    ["controller:cloud-node-lifecycle", { controller: "cloud-node-lifecycle-controller" }],
    ["controller:service-lb-controller", { controller: "service-lb-controller" }],
    ["outcome:failed outcome:timedout", { outcomes: ["failed", "timedOut"] }],
    ["outcome:running", { outcomes: ["running"] }],
    ["key:w-*", { key: "w-*" }],
    ["kind:service", { kind: "Service" }],
    ["kind:Namespace", { kind: "Namespace" }],
    ["w-9", { key: "*w-9*" }],
    ["calls>10", { minCalls: 11 }],
    ["call:PATCH+nodes/status", { operation: "PATCH nodes/status" }],
    ["reason:InstanceNotFound", { reason: "InstanceNotFound" }],
    ["reason:quota", { reason: "ProviderQuotaExceeded" }],
    ["trigger:intent", { triggers: ["intent"] }],
    ["request:7F3a9c10", { requestId: "7F3a9c10" }],
    ["!outcome:unchanged", { not: { outcomes: ["unchanged"] } }],
    [
      "controller:node !key:w-1 !trigger:period",
      { controller: "cloud-node-controller", not: { key: "w-1", triggers: ["period"] } },
    ],
  ])("%s", (text, filter) => {
    const parsed = parseRunFilter(text);
    expect(parsed.filter).toEqual(filter);
    expect(parsed.terms.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it.each([
    [
      "colour:red",
      "there is no filter colour; use controller, outcome, trigger, key, kind, reason, call, request, calls>",
    ],
    [
      "constructor:x",
      "there is no filter constructor; use controller, outcome, trigger, key, kind, reason, call, request, calls>",
    ],
    [
      "controller:pod",
      "there is no controller pod; use node, node-lifecycle, service, route, node-ipam, volume",
    ],
    [
      "outcome:",
      "it needs one of failed, timedOut, interrupted, blocked, waiting, changed, unchanged, running",
    ],
    ["reason:throttled", "several reasons match: ProviderThrottled, KubeThrottled"],
    [
      "kind:rain",
      "rain is not one of Node, Service, PersistentVolume, LoadBalancer, Route, RouteTable",
    ],
    ["reason:rain", "there is no reason rain"],
    ["key:", "key: needs a name, such as key:w-*"],
    ["request:7f3a", "request: needs the first 8 characters of an ID, or more"],
    ["call:", "call: needs an operation, such as call:GET+/v1/instances"],
  ])("%s filters nothing and says why", (text, problem) => {
    const parsed = parseRunFilter(text);
    expect(parsed.filter).toEqual({});
    expect(parsed.terms).toEqual([{ text, problem }]);
  });
});

it("parses the call term that it generates", () => {
  const { filter } = parseRunFilter(callTerm("GET /v1/instances"));
  expect(filter).toEqual({ operation: "GET /v1/instances" });
});

describe("chips", () => {
  it("remove one term", () => {
    expect(withoutTerm("outcome:failed  key:w-*", "outcome:failed")).toBe("key:w-*");
  });

  it("turn a term on and off", () => {
    expect(toggleTerm("key:w-*", "outcome:failed")).toBe("key:w-* outcome:failed");
    expect(toggleTerm("key:w-* outcome:failed", "key:w-*")).toBe("outcome:failed");
  });
});
