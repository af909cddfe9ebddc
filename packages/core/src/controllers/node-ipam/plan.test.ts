import { describe, expect, it } from "vitest";
import type { Reason } from "../../model/reason.ts";
import { CREATED_AT, type NodeShape, node } from "../testing/node-fixture.ts";
import type { Offer } from "./allocations.ts";
import type { IpamObserved } from "./observed.ts";
import { planIpam } from "./plan.ts";

const BLOCKS: Offer = { kind: "blocks", cidrs: ["10.120.3.0/24", "fd00:120:0:3::/64"] };
const FULL: Offer = { kind: "exhausted", range: "10.120.0.0/22", capacity: 4 };

function planOf(shape: NodeShape, seen: Partial<IpamObserved> = {}) {
  const observed = { node: node(shape), problems: [], lacking: [], offer: undefined, pools: [] };
  return planIpam({ ...observed, ...seen }, CREATED_AT);
}

describe("a node without pod ranges", () => {
  it("is given what was offered, in one write", () => {
    expect(planOf({}, { offer: BLOCKS })).toEqual({
      changes: [
        {
          kind: "node.pod-cidrs.write",
          system: "cluster",
          target: { kind: "Node", name: "n1", uid: "uid-n1" },
          before: { podCIDRs: [] },
          after: { podCIDRs: BLOCKS.cidrs },
          reason: { code: "PodCIDRsMissing" },
        },
      ],
      notTaken: [],
      next: { kind: "settled", reason: { code: "PodCIDRsInStep", cidrs: BLOCKS.cidrs } },
    });
  });

  it("is stuck when a range is exhausted, and names the range", () => {
    const reason: Reason = { code: "PodCIDRsExhausted", range: "10.120.0.0/22", capacity: 4 };
    expect(planOf({}, { offer: FULL })).toEqual({
      changes: [],
      notTaken: [{ step: "give pod ranges", reason }],
      next: { kind: "blocked", reason },
    });
  });

  it("is left alone while it is being deleted", () => {
    const shape = { deletionTimestamp: new Date(CREATED_AT).toISOString() };
    const { changes, next } = planOf(shape);
    expect([changes, next]).toEqual([[], { kind: "settled", reason: { code: "NodeLeaving" } }]);
  });

  it("is left alone while it is held", () => {
    const shape = { annotations: { "cloudwright.io/hold": "by hand" } };
    const { changes, next } = planOf(shape, { offer: BLOCKS });
    expect([changes, next.reason.code]).toEqual([[], "HeldByAnnotation"]);
  });
});

describe("a node that has pod ranges", () => {
  const podCIDRs = ["10.120.1.0/24"];

  it("keeps them", () => {
    expect(planOf({ podCIDRs })).toEqual({
      changes: [],
      notTaken: [],
      next: { kind: "settled", reason: { code: "PodCIDRsInStep", cidrs: podCIDRs } },
    });
  });

  it("keeps them while it is being deleted", () => {
    const deletionTimestamp = new Date(CREATED_AT).toISOString();
    expect(planOf({ deletionTimestamp, podCIDRs }).next.reason.code).toBe("PodCIDRsInStep");
  });

  it.each<Reason>([
    { code: "PodCIDROutside", cidr: "10.120.1.0/24", ranges: ["10.0.0.0/16"] },
    { code: "PodCIDRDuplicate", cidr: "10.120.1.0/24", other: "n2" },
    { code: "PodCIDRInvalid", cidr: "10.120.1.0/24", problem: "it is odd" },
  ])("is stuck with what is wrong with them: $code", (problem) => {
    expect(planOf({ podCIDRs }, { problems: [problem] })).toEqual({
      changes: [],
      notTaken: [{ step: "another pod range", reason: problem }],
      next: { kind: "blocked", reason: problem },
    });
  });

  it("gets a message that it cannot have one of the other family", () => {
    expect(planOf({ podCIDRs }, { lacking: ["fd00:120::/48"] })).toMatchObject({
      changes: [],
      notTaken: [
        {
          step: "pod range of fd00:120::/48",
          reason: { code: "PodCIDRsFixed", cidrs: podCIDRs },
        },
      ],
      next: { kind: "settled" },
    });
  });
});
