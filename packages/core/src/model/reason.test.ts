import { describe, expect, it } from "vitest";
import {
  codesWhere,
  depthOf,
  faultOf,
  REASON_CODES,
  REASON_NAME,
  type Reason,
  reasonName,
  reasonSchema,
  severityOf,
  stateOf,
} from "./reason.ts";
import { eventMessage } from "./sentence.ts";

const CALL = { provider: "s", operation: "POST /v1/routes", message: "no" };

describe("who can fix a fault", () => {
  it.each<Reason>([
    { code: "LabelInvalid", key: "a", value: "b c", problem: "a blank" },
    { code: "ProviderQuotaExceeded", ...CALL },
    { code: "ProviderUnauthorized", ...CALL },
    { code: "KubeForbidden", verb: "patch", resource: "nodes", message: "no" },
    { code: "ProviderRefused", ...CALL },
    { code: "ProviderIDMalformed", providerID: "x", expected: "s://<id>" },
    { code: "ProviderIDDuplicate", providerID: "s://1", other: "w-2" },
    { code: "InstanceNotFound", provider: "s", by: "name", value: "w-9" },
    { code: "RouteTableFull", provider: "s", cidr: "10.0.0.0/24", message: "full" },
  ])("is only a user: $code", (reason) => {
    expect(faultOf(reason)).toBe("user");
  });

  it.each<Reason>([
    { code: "ProviderThrottled", provider: "s", operation: "GET /x" },
    { code: "ProviderUnavailable", ...CALL },
    { code: "ProviderTimedOut", provider: "s", operation: "GET /x", afterMs: 10_000 },
    { code: "KubeConflict", verb: "patch", resource: "nodes", message: "no" },
    { code: "ProviderRefused", ...CALL, because: "conflict" },
    { code: "Unexplained", message: "?" },
  ])("may be time: $code", (reason) => {
    expect(faultOf(reason)).toBe("passing");
  });

  it("is nobody if nothing failed, as with a write that the lost Lease held back", () => {
    expect(faultOf({ code: "LeaseLost", operation: "POST /v1/routes" })).toBe("none");
  });
});

it("a cause that any call can have lies as deep as its controller's work", () => {
  const unavailable: Reason = { code: "ProviderUnavailable", ...CALL };
  const label: Reason = { code: "LabelInvalid", key: "a", value: "b c", problem: "a blank" };
  expect(depthOf(unavailable, "cloud-node-lifecycle-controller")).toBe("machine");
  expect(depthOf(unavailable, "node-route-controller")).toBe("network");
  expect(depthOf(label, "node-route-controller")).toBe("initialisation");
});

describe("a code", () => {
  it("belongs to one reason only, and is one word that an address may contain", () => {
    expect(new Set(REASON_CODES).size).toBe(REASON_CODES.length);
    expect(REASON_CODES.filter((code) => !REASON_NAME.test(code))).toEqual([]);
  });

  it("is found by a fact about its reason", () => {
    expect(codesWhere(({ offers }) => offers === "adopt")).toEqual([
      "BalancerUnowned",
      "BalancerStands",
      "RouteUnowned",
    ]);
  });
});

describe("a reason that this release does not define", () => {
  it.each<[string, object, string]>([
    ["its text", { text: "its label is there" }, "Its label is there."],
    ["the message in it", { message: "no such disk", disk: "d-1" }, "No such disk."],
    ["its fields", { disk: "d-1", sizeGiB: 3 }, 'DiskLost (disk "d-1", sizeGiB 3).'],
    ["its name where it has nothing else", {}, "DiskLost."],
  ])("is read by its name and shown with %s", (_what, fields, text) => {
    const reason = reasonSchema.parse({ code: "DiskLost", ...fields });
    expect(reasonName(reason)).toBe("DiskLost");
    expect(eventMessage(reason)).toBe(text);
    expect(reasonSchema.parse(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
  });

  it("is no fault and leaves the state to the outcome, unless it says that somebody has to fix it", () => {
    const other: Reason = { code: "Other", name: "DiskLost", text: "it is lost" };
    expect([faultOf(other), severityOf(other), stateOf(other)]).toEqual([
      "none",
      "info",
      undefined,
    ]);
    const fault: Reason = { ...other, fault: "user", advice: "Look for it." };
    expect([faultOf(fault), severityOf(fault)]).toEqual(["user", "warning"]);
    expect(eventMessage(fault)).toBe("It is lost. Look for it.");
  });

  it("does not cover one that is defined and lacks a field", () => {
    expect(reasonSchema.safeParse({ code: "RouteMissing" }).success).toBe(false);
  });
});

it.each<[string, Reason, ReturnType<typeof stateOf>]>([
  ["cannot be seen where reading is forbidden", kube("list"), "unknown"],
  ["is known where only writing is forbidden", kube("patch"), undefined],
  ["is held where somebody holds it", { code: "HeldByAnnotation" }, "held"],
  ["is gone with the object", { code: "ObjectGone" }, "gone"],
])("the state %s", (_what, reason, state) => {
  expect(stateOf(reason)).toBe(state);
});

function kube(verb: string): Reason {
  return { code: "KubeForbidden", verb, resource: "nodes", message: "no" };
}
