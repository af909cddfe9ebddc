import type { LoadBalancerOwner, OwnerIdentity } from "@cloudwright/provider-api";
import {
  type LoadBalancersFixture,
  loadBalancerCases,
  type SeenLoadBalancer,
} from "@cloudwright/provider-api/kit";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ObservedLoadBalancer, observedSchema } from "../src/load-balancer.ts";
import { loadBalancerName, ownerOf, TAGS } from "../src/owners.ts";
import { CloudUnderTest, type Made } from "./cloud-under-test.ts";

const shownSchema = z.object({
  address: z.string(),
  state: z.string(),
  tags: z.record(z.string(), z.string()),
  members: z.array(z.string()),
  listeners: z.array(z.object({ port: z.number() })),
});

const RULES = {
  create: { method: "POST", path: "/v1/load-balancers" },
  update: { method: "PATCH", path: "/v1/load-balancers/*" },
  delete: { method: "DELETE", path: "/v1/load-balancers/*" },
};

describe("load balancers against the sandbox cloud", () => {
  let cloud: CloudUnderTest;

  beforeAll(async () => {
    cloud = await CloudUnderTest.open();
  });
  afterEach(() => cloud.reset());
  afterAll(() => cloud.close());

  function seen(made: Made): SeenLoadBalancer {
    const { tags, members, listeners, address, state } = shownSchema.parse(made);
    return {
      id: made.id,
      owner: ownerOf({ tags }),
      members: members.map((id) => `sandbox://${id}`),
      ports: listeners.map(({ port }) => port),
      addresses: address === "" ? [] : [address],
      isBroken: state === "error",
    };
  }

  function tagsOfOwner({ clusterUid, objectUid }: OwnerIdentity) {
    return { [TAGS.cluster]: clusterUid, [TAGS.serviceUid]: objectUid };
  }

  function fixture(): LoadBalancersFixture {
    const make = (owner: LoadBalancerOwner, tags: object) =>
      cloud.makeLoadBalancer({ name: loadBalancerName(owner), tags });
    return {
      provider: "sandbox",
      loadBalancers: cloud.loadBalancers,
      createMember: async (name) => `sandbox://${await cloud.makeInstance(name)}`,
      existing: async () => (await cloud.balancers()).map(seen),
      parts: async () => (await cloud.rules()).map(({ id }) => id),
      unknownMember: "sandbox://i-00000000000000ff",
      keepsClass: true,
      createUnowned: (owner) => make(owner, {}),
      createUsed: async (owner) =>
        cloud.makeLoadBalancer({
          name: loadBalancerName(owner),
          listeners: [{ name: "dns", protocol: "UDP", port: 53, nodePort: 30_053 }],
          members: [await cloud.makeInstance("legacy")],
        }),
      createOwned: (owner, mark) => make(owner, tagsOfOwner(mark)),
      removeLoadBalancer: async (id) =>
        void (await cloud.send("DELETE", `/admin/load-balancers/${id}`)),
      editLoadBalancer: async (id) =>
        void (await cloud.send("PATCH", `/admin/load-balancers/${id}`, { listeners: [] })),
      breakLoadBalancer: async (id) =>
        void (await cloud.send("PATCH", `/admin/load-balancers/${id}`, {
          state: "error",
          errorMessage: "a disk is full",
        })),
      loseNextAnswer: (action) =>
        cloud.faults({ rules: [{ ...RULES[action], loseResponse: true, times: 1 }] }),
      throttle: (retryAfterMs) =>
        cloud.faulty({ rules: [{ path: "/v1/*", status: 429, retryAfter: retryAfterMs / 1_000 }] }),
      breakCloud: () => cloud.faulty({ rules: [{ path: "/v1/*", status: 503 }] }),
      answerWithoutEnd: (fault) => cloud.proxy.play(fault),
      limitLoadBalancers: (loadBalancers) => cloud.faults({ quotas: { loadBalancers } }),
      slowDown: (provisioningMs) => cloud.faults({ provisioningMs }),
      fill: async (clusterUid, count) => {
        await cloud.faults({ quotas: { loadBalancers: 10_000 } });
        const numbers = Array.from({ length: count }, (_, index) => index);
        await Promise.all(
          numbers.map((number) =>
            cloud.makeLoadBalancer({
              name: `filler-${number}`,
              tags: tagsOfOwner({ clusterUid, objectUid: `filler-${number}` }),
            }),
          ),
        );
      },
    };
  }

  type Plan = LoadBalancersFixture["loadBalancers"]["plan"];
  type Input = Parameters<Plan>[0];

  /** Returns what exists, as a provider with faulty observations would see it. */
  function seenOtherwise(
    input: Input,
    change: (seen: ObservedLoadBalancer) => Partial<ObservedLoadBalancer>,
  ) {
    const seen = observedSchema.parse(input.observed);
    return { ...input, observed: { ...seen, ...change(seen) } };
  }

  it.each<[string, string, (input: Input) => Input]>([
    [
      "takes over what is nobody's",
      "asks before it takes over one of its name that carries no owner's mark",
      (input) => ({
        ...input,
        consent: observedSchema.parse(input.observed).candidates[0]?.id ?? "",
      }),
    ],
    [
      "does not see its namesakes",
      "touches no load balancer of another cluster, whatever its name and whoever consents",
      (input) => seenOtherwise(input, () => ({ candidates: [] })),
    ],
    [
      "does not see what stands at the published address",
      "finds what stands at the published address, whatever its name, and asks before it takes it over",
      (input) => seenOtherwise(input, () => ({ candidates: [] })),
    ],
    [
      "does not adopt what is proven",
      "adopts what is proven to be the Service's, with what else is on it, and removes it then as its own",
      ({ proven: _proven, ...input }) => input,
    ],
    [
      "keeps the wrong one of two",
      "keeps of two with the mark the one that the Service is reached by",
      (input) => ({ ...input, published: { ingress: [] } }),
    ],
    [
      "changes what the cloud is at work on",
      "waits outside of its calls for a cloud that takes its time, and loses no change meanwhile",
      (input) =>
        seenOtherwise(input, ({ balancers: loadBalancers }) => ({
          balancers: loadBalancers.map((one) => ({ ...one, state: "active" as const })),
        })),
    ],
    [
      "does not see that a load balancer is broken",
      "heals or replaces a broken load balancer, and never has two",
      (input) =>
        seenOtherwise(input, ({ balancers: loadBalancers }) => ({
          balancers: loadBalancers.map((one) => ({ ...one, state: "active" as const })),
        })),
    ],
    [
      "does not look for rules",
      "removes what is beside a load balancer that has gone without it",
      (input) => seenOtherwise(input, () => ({ rules: [] })),
    ],
  ])("would not pass if it %s", async (_defect, name, spoil) => {
    const given = fixture();
    const { loadBalancers } = given;
    const plan: Plan = (input) => loadBalancers.plan(spoil(input));
    const conformance = loadBalancerCases.find((one) => one.name === name);
    const spoilt = { ...given, loadBalancers: { ...loadBalancers, plan } };
    await expect(conformance?.run(spoilt)).rejects.toThrow();
  });

  it.each(loadBalancerCases)("as every provider, it $name", async (conformance) => {
    const given = fixture();
    expect(conformance.unmet(given)).toEqual([]);
    await conformance.run(given);
  });
});
