import { describe, expect, it } from "vitest";
import type { LoadBalancerSpec } from "../load-balancers.ts";
import { MemoryLoadBalancers } from "../testing/memory-load-balancers.ts";
import type { LoadBalancersFixture } from "./load-balancers/fixture.ts";
import { loadBalancerCases } from "./load-balancers.ts";

const given = new MemoryLoadBalancers().fixture();
const playable = loadBalancerCases.filter((one) => one.unmet(given).length === 0);

describe("the conformance kit of load balancers", () => {
  it.each(playable)("passes a wrapped provider that keeps the contract: $name", async (one) => {
    await one.run(new MemoryLoadBalancers().fixture());
  });

  it("names the needs that a fixture does not meet", () => {
    const needs = new Set(loadBalancerCases.flatMap((one) => one.unmet(given)));
    expect(needs).toEqual(
      new Set([
        "createUnowned",
        "createUsed",
        "createOwned",
        "editLoadBalancer",
        "breakLoadBalancer",
        "slowDown",
        "fill",
        "keepsClass",
        "notWrapped",
      ]),
    );
  });

  it.each<[string, string, (cloud: MemoryLoadBalancers) => void]>([
    [
      "makes another load balancer each time",
      "makes no second load balancer after a creation whose answer was lost",
      (cloud) => {
        const ensure = cloud.ensure.bind(cloud);
        cloud.ensure = (spec, context) => {
          cloud.make(spec.owner);
          return ensure(spec, context);
        };
      },
    ],
    [
      "leaves the firewall rule behind",
      "removes what is beside a load balancer that has gone without it",
      (cloud) => {
        cloud.remove = (owner, context) =>
          cloud.request(context, "delete", () => {
            const one = cloud.find(owner);
            if (one === undefined) return;
            cloud.kept.delete(one.id);
            cloud.firewalls.delete(owner.objectUid);
          });
      },
    ],
    [
      "calls the removal of nothing an error",
      "removes everything, and again without harm",
      (cloud) => {
        const remove = cloud.remove.bind(cloud);
        cloud.remove = (owner, context) => {
          if (cloud.find(owner) === undefined) throw cloud.failed("delete", { code: "NotFound" });
          return remove(owner, context);
        };
      },
    ],
    [
      "does not name the member that is refused",
      "names the one member that the cloud refuses, and serves the others",
      (cloud) => {
        cloud.checked = () => {
          throw cloud.failed("ensure", { code: "Invalid", status: 400 });
        };
      },
    ],
    [
      "takes an outage for absence",
      "takes a cloud that cannot be asked for no answer, never for absence",
      (cloud) => {
        cloud.get = () => Promise.resolve(undefined);
      },
    ],
    [
      "takes an answer without an end for absence",
      "gives up an answer without an end: huge",
      (cloud) => {
        cloud.get = () => Promise.resolve(undefined);
      },
    ],
    [
      "forgets how long to wait",
      "passes on how long a cloud that refuses too many calls wants us to wait",
      (cloud) => {
        cloud.failed = (operation) => {
          const error = new MemoryLoadBalancers().failed(operation, {
            code: "Throttled",
            status: 429,
          });
          return error;
        };
      },
    ],
    [
      "changes members only with everything",
      "adds and removes members by changes of members alone",
      (cloud) => {
        cloud.updateMembers = () => Promise.resolve();
      },
    ],
  ])("fails a provider that %s", async (_defect, name, spoil) => {
    const cloud = new MemoryLoadBalancers();
    spoil(cloud);
    await expect(caseNamed(name).run(cloud.fixture())).rejects.toThrow();
  });

  describe("for the ability to reach pods", () => {
    const one = caseNamed(
      "reaches pods without node ports where it says so, and is asked for none elsewhere",
    );

    it("passes a provider that has it", async () => {
      await one.run(reachingPods(new MemoryLoadBalancers().fixture()));
    });

    it("fails a provider that has it and ignores the pods' port", async () => {
      const fixture = reachingPods(new MemoryLoadBalancers().fixture());
      const { loadBalancers } = fixture;
      const deaf: LoadBalancersFixture = {
        ...fixture,
        loadBalancers: {
          ...loadBalancers,
          plan: (input) => loadBalancers.plan({ ...input, spec: withoutTargetPorts(input.spec) }),
        },
      };
      await expect(one.run(deaf)).rejects.toThrow("although pods now listen on");
    });
  });

  it("fails a provider that plans the same change forever", async () => {
    const fixture = new MemoryLoadBalancers().fixture();
    const { loadBalancers } = fixture;
    const restless: LoadBalancersFixture = {
      ...fixture,
      loadBalancers: {
        ...loadBalancers,
        plan: (input) => loadBalancers.plan({ ...input, everything: true }),
      },
    };
    await expect(
      caseNamed("finds nothing left to do once it is done").run(restless),
    ).rejects.toThrow("did not come to rest");
  });
});

function reachingPods(fixture: LoadBalancersFixture): LoadBalancersFixture {
  const { loadBalancers } = fixture;
  const abilities = { ...loadBalancers.abilities, podTargets: true };
  return { ...fixture, loadBalancers: { ...loadBalancers, abilities } };
}

function withoutTargetPorts(spec: LoadBalancerSpec | undefined): LoadBalancerSpec | undefined {
  if (spec === undefined) return undefined;
  const { healthCheck, listeners } = spec;
  return {
    ...spec,
    healthCheck: { ...healthCheck, port: 0 },
    listeners: listeners.map(({ targetPort: _, ...listener }) => listener),
  };
}

function caseNamed(name: string): (typeof loadBalancerCases)[number] {
  const found = loadBalancerCases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no case "${name}".`);
  return found;
}
