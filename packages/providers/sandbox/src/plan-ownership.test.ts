import { describe, expect, it, test } from "vitest";
import type { LoadBalancer } from "./load-balancer.ts";
import {
  changesOf,
  loadBalancer,
  NAME,
  planned,
  rule,
  SPEC,
  type There,
} from "./testing/planned.ts";

describe("the name of a load balancer", () => {
  it("is upstream's: a, the UID without its dashes, and no more than 32 characters", () => {
    expect(NAME).toBe("a0a1b2c3d000040008000000000000001".slice(0, 32));
    expect(NAME).toHaveLength(32);
  });
});

describe("an unmarked load balancer with its name that has more than the Service asks for", () => {
  const used: Partial<LoadBalancer> = {
    id: "lb-9",
    tags: {},
    listeners: [
      { name: "", protocol: "TCP", port: 80, nodePort: 31_999 },
      { name: "", protocol: "UDP", port: 53, nodePort: 30_053 },
    ],
    members: ["i-00000000000000a1", "i-00000000000000a2"],
  };
  const members = [{ nodeName: "w-1", providerID: "sandbox://i-00000000000000a1", addresses: [] }];

  it("is not adopted even with consent, and everything extra is named", () => {
    const there = { candidates: [loadBalancer(used)] };
    for (const consent of [{}, { consent: "lb-9" }]) {
      const plan = planned(there, { spec: { ...SPEC, members }, ...consent });
      expect(plan.changes).toEqual([]);
      expect(plan.next).toEqual({
        kind: "unowned",
        id: "lb-9",
        name: NAME,
        others: ["listener 53/UDP", "member i-00000000000000a2"],
      });
    }
  });

  it("is adopted once that is gone; a listener of the Service's own port is corrected", () => {
    const there = {
      candidates: [
        loadBalancer({ ...used, listeners: [used.listeners?.[0] ?? []].flat(), members: [] }),
      ],
    };
    const plan = planned(there, { spec: { ...SPEC, members }, consent: "lb-9" });
    expect(changesOf(plan)).toEqual(["adopt load balancer lb-9"]);
  });
});

describe("what is planned for a removal", () => {
  test.each<[string, There, readonly string[], string]>([
    ["nothing is there", { rules: [] }, [], "settled"],
    ["only a rule is left", { rules: [rule()] }, ["delete firewall rule fw-1"], "settled"],
    [
      "all of it is there, and twins",
      {
        balancers: [loadBalancer(), loadBalancer({ id: "lb-2", state: "error" })],
        rules: [rule()],
      },
      ["delete firewall rule fw-1", "delete load balancer lb-1", "delete load balancer lb-2"],
      "settled",
    ],
    ["it is busy", { balancers: [loadBalancer({ state: "updating" })] }, [], "inProgress"],
    [
      "it is on its way out",
      { balancers: [loadBalancer({ state: "deleting" })] },
      [],
      "inProgress",
    ],
    ["one of its name has no owner", { candidates: [loadBalancer({ tags: {} })] }, [], "settled"],
  ])("when %s", (...[_case, there, expected, next]) => {
    const plan = planned(there, { spec: undefined });
    expect(changesOf(plan)).toEqual(expected);
    expect(plan.next.kind).toBe(next);
    expect(plan.status).toEqual({ ingress: [] });
  });
});
