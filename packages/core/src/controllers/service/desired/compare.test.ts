import {
  type LoadBalancerCandidate,
  type LoadBalancerPlan,
  type LoadBalancerPlanInput,
  ProviderError,
} from "@cloudwright/provider-api";
import { describe, expect, it, test } from "vitest";
import { claimOf, compare, isLeftBehind, isProven } from "./compare.ts";

const FACTS = {
  upstreamName: "a1",
  published: { ingress: [{ ip: "192.0.2.1" }, { hostname: "lb.example" }] },
};
const CANDIDATE = { id: "lb-1", name: "other", addresses: ["192.0.2.9"] };
const OTHER_CLUSTER = { owner: "the cluster test", isOfThisCluster: false };
const OTHER_SERVICE = { owner: "the Service a/b", isOfThisCluster: true };

function claim(more: Partial<LoadBalancerCandidate>) {
  const found = claimOf([{ ...CANDIDATE, ...more }], FACTS);
  if (found === undefined) throw new Error("There is no claim.");
  return found;
}

describe("a load balancer without the Service's mark", () => {
  test.each<
    [string, Partial<LoadBalancerCandidate>, readonly [readonly string[], boolean, boolean]]
  >([
    ["neither name nor address", {}, [[], false, true]],
    ["the name alone", { name: "a1" }, [["name"], false, true]],
    ["the address alone", { addresses: ["192.0.2.1"] }, [["address"], false, true]],
    ["the hostname alone", { addresses: ["lb.example"] }, [["address"], false, true]],
    ["both", { name: "a1", addresses: ["192.0.2.1"] }, [["name", "address"], true, true]],
    [
      "both, with another cluster's mark",
      { name: "a1", addresses: ["192.0.2.1"], ownedBy: OTHER_CLUSTER },
      [["name", "address"], false, true],
    ],
    [
      "the name, with another cluster's mark",
      { name: "a1", ownedBy: OTHER_CLUSTER },
      [["name"], false, false],
    ],
    [
      "the address, with the mark of another Service of this cluster",
      { addresses: ["192.0.2.1"], ownedBy: OTHER_SERVICE },
      [["address"], false, false],
    ],
  ])("with %s", (_case, more, expected) => {
    const found = claim(more);
    expect([found.proofs, isProven(found), isLeftBehind(found)]).toEqual(expected);
  });

  it("concerns the one with most proofs, whatever the order", () => {
    const candidates = [
      { ...CANDIDATE, id: "lb-1", name: "a1", addresses: ["192.0.2.1"], ownedBy: OTHER_CLUSTER },
      { ...CANDIDATE, id: "lb-2", name: "a1" },
      { ...CANDIDATE, id: "lb-3", name: "a1", addresses: ["192.0.2.1"] },
    ];
    for (const order of [candidates, [...candidates].reverse()]) {
      expect(claimOf(order, FACTS)?.id).toBe("lb-3");
    }
    expect(claimOf([], FACTS)).toBeUndefined();
  });
});

describe("a comparison with what a provider plans", () => {
  const owner = { clusterUid: "c", objectUid: "1", namespace: "n", name: "s", clusterName: "k" };
  const request = {
    owner,
    observation: { kind: "known", observed: {} },
    spec: undefined,
    published: FACTS.published,
    adopt: "published",
  } as const;
  const plan: LoadBalancerPlan = {
    changes: [],
    next: { kind: "settled" },
    status: undefined,
    actual: undefined,
    aspects: [],
    members: {},
    candidates: [{ ...CANDIDATE, name: "a1", addresses: ["192.0.2.1"] }],
  };
  const inputs: LoadBalancerPlanInput<unknown>[] = [];

  it("is available at once if the plan is, and a promise if that is one", async () => {
    const planned = (input: LoadBalancerPlanInput<unknown>) => {
      inputs.push(input);
      return plan;
    };
    const atOnce = compare({ plan: planned }, request);
    expect(atOnce).toMatchObject({ kind: "compared", claim: { proofs: ["name", "address"] } });
    const later = compare({ plan: (input) => Promise.resolve(planned(input)) }, request);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toEqual(atOnce);
    expect(inputs.map(({ proven }) => proven)).toEqual([undefined, "lb-1", undefined, "lb-1"]);
  });

  it("fails like an observation if the plan does", async () => {
    const call = { provider: "p", operation: "PlanLoadBalancers" };
    const error = new ProviderError("Unavailable", "it is gone", call);
    const failed = compare({ plan: () => Promise.reject(error) }, request);
    expect(await failed).toEqual({ kind: "failed", owner, error });
    const defect = compare({ plan: () => Promise.reject(new TypeError("no")) }, request);
    await expect(defect).rejects.toThrow(TypeError);
  });
});
