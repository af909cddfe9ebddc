import { describe, expect, it } from "vitest";
import { depthOf, faultOf, type Reason } from "./reason.ts";

const CALL = { provider: "s", operation: "POST /v1/routes", message: "no" };

describe("who can mend a fault", () => {
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
  ])("is a user alone: $code", (reason) => {
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

  it("is nobody where nothing failed, as with a write that the lost Lease held back", () => {
    expect(faultOf({ code: "LeaseLost", operation: "POST /v1/routes" })).toBe("none");
  });
});

it("a cause that may befall any call lies as deep as what its controller does", () => {
  const unavailable: Reason = { code: "ProviderUnavailable", ...CALL };
  const label: Reason = { code: "LabelInvalid", key: "a", value: "b c", problem: "a blank" };
  expect(depthOf(unavailable, "cloud-node-lifecycle-controller")).toBe("machine");
  expect(depthOf(unavailable, "node-route-controller")).toBe("network");
  expect(depthOf(label, "node-route-controller")).toBe("initialisation");
});
