import { strict as assert } from "node:assert";
import type { LoadBalancerSpec } from "../../load-balancers.ts";
import { unmetDemand } from "../../unmet-demand.ts";
import { mutations } from "../recorded-contexts.ts";
import {
  type LoadBalancerCase,
  type LoadBalancersSubject,
  observeAndPlan,
  onlyOne,
  ownerOf,
  serve,
  specOf,
} from "./steps.ts";

const WEB = ownerOf("web");

/** The abilities that a provider declares, and whether it keeps to them. */
export const loadBalancerAbilityCases: readonly LoadBalancerCase[] = [
  {
    name: "reaches pods without node ports where it says so, and is asked for none elsewhere",
    check: async (subject) => {
      const { podTargets, withoutNodePorts } = subject.fixture.loadBalancers.abilities;
      if (podTargets === true) await reachesPods(subject);
      else await (withoutNodePorts === true ? servesNobody(subject) : isSpared(subject));
    },
  },
];

async function reachesPods(subject: LoadBalancersSubject): Promise<void> {
  const asked = withoutNodePorts({ targets: "pods", targetPort: 8_080 });
  assert.equal(unmetDemand(asked, subject.fixture.loadBalancers.abilities), undefined);
  await serve(subject, asked);
  const before = mutations(subject);
  await serve(subject, asked);
  assert.equal(mutations(subject), before, "It wrote although everything was in sync.");
  for (const targetPort of [9_090, "web"]) {
    const other = withoutNodePorts({ targets: "pods", targetPort });
    const { changes } = await observeAndPlan(subject, WEB, { spec: other });
    assert.ok(changes.length > 0, `It plans nothing although pods now listen on ${targetPort}.`);
    await serve(subject, other);
  }
}

/** Requires a load balancer with its listeners; something else fills in the members. */
async function servesNobody(subject: LoadBalancersSubject): Promise<void> {
  const asked = withoutNodePorts({});
  assert.equal(unmetDemand(asked, subject.fixture.loadBalancers.abilities), undefined);
  await serve(subject, asked);
  assert.deepEqual((await onlyOne(subject, WEB)).members, []);
}

/** Requires that the framework refuses such a Service for the provider, before any call. */
async function isSpared(subject: LoadBalancersSubject): Promise<void> {
  const unmet = unmetDemand(withoutNodePorts({}), subject.fixture.loadBalancers.abilities);
  assert.deepEqual(unmet, {
    field: "port 80/TCP",
    problem: "it has no node port to send to, as allocateLoadBalancerNodePorts is false",
  });
  assert.equal(mutations(subject), 0, "It wrote for a Service that is refused.");
}

interface Target {
  readonly targets?: LoadBalancerSpec["targets"];
  readonly targetPort?: number | string;
}

function withoutNodePorts({ targets, targetPort }: Target): LoadBalancerSpec {
  const listener = { name: "http", protocol: "TCP", port: 80, nodePort: 0 } as const;
  return specOf(WEB, {
    listeners: [{ ...listener, ...(targetPort === undefined ? {} : { targetPort }) }],
    healthCheck: { protocol: "TCP", port: typeof targetPort === "number" ? targetPort : 0 },
    ...(targets === undefined ? {} : { targets }),
  });
}
