import type { LoadBalancerOwner } from "@cloudwright/provider-api";
import { recordedContexts } from "@cloudwright/provider-api/kit";
import { expect, it } from "vitest";
import { observeLoadBalancers } from "./observe.ts";
import { type LoadBalancer, loadBalancerSchema, memberSchema, poolSchema } from "./observed.ts";
import { tagsFor } from "./ownership.ts";
import type { Reads } from "./reads.ts";
import { AT, config, NAME, OTHER, OWNER, planned } from "./testing/lb-fixture.ts";

const NOTHING: Reads = {
  loadBalancers: async () => [],
  listeners: async () => [],
  pools: async () => [],
  monitors: async () => [],
  memberStatuses: async () => new Map(),
  members: async () => [],
  floatingIps: async () => [],
  securityGroups: async () => [],
  ports: async () => [],
  subnets: async () => [],
  externalNetworks: async () => [],
  minor: async () => 26,
};

async function observed(...loadBalancers: readonly LoadBalancer[]) {
  return await observedWith({ loadBalancers: async () => loadBalancers }, OWNER);
}

async function observedWith(reads: Partial<Reads>, owner: LoadBalancerOwner) {
  const observations = await observeLoadBalancers(
    {
      reads: { ...NOTHING, ...reads },
      config: config(),
      context: recordedContexts({ provider: "openstack" }).context(),
      now: () => AT,
    },
    [owner],
  );
  const observation = observations.get(owner.objectUid);
  if (observation?.kind !== "known") throw new Error(`it was ${observation?.kind}`);
  return observation.observed;
}

function loadBalancer(more: Readonly<Record<string, unknown>>): LoadBalancer {
  return loadBalancerSchema.parse({
    id: "lb-1",
    name: NAME,
    provisioning_status: "ACTIVE",
    ...more,
  });
}

it("waits for one with its name whose tags Octavia dropped when deleting it", async () => {
  const going = await observed(loadBalancer({ provisioning_status: "PENDING_DELETE" }));
  expect(going.owned.map(({ id }) => id)).toEqual(["lb-1"]);
  expect(going.candidates).toEqual([]);
  const plan = planned({ observed: going, spec: undefined });
  expect(plan.next).toMatchObject({ kind: "inProgress" });
  expect(plan.changes).toEqual([]);
});

it.each([
  { what: "stands and has no mark", more: {} },
  { what: "broke while it was deleted", more: { provisioning_status: "ERROR" } },
  {
    what: "is going and is another Service's",
    more: { provisioning_status: "PENDING_DELETE", tags: tagsFor({ tags: [] }, OTHER) },
  },
])("takes one of its name that $what for nothing of its own", async ({ more }) => {
  const { owned, candidates } = await observed(loadBalancer(more));
  expect(owned).toEqual([]);
  expect(candidates.map(({ id }) => id)).toEqual(["lb-1"]);
});

it("ignores one that is deleted and still listed", async () => {
  const { owned, candidates } = await observed(
    loadBalancer({ provisioning_status: "DELETED", tags: tagsFor({ tags: [] }, OWNER) }),
  );
  expect([...owned, ...candidates]).toEqual([]);
});

it.each([
  { what: "nobody asked for one", asked: undefined, tagged: "", details: false },
  { what: "its Service asks for one", asked: "sub-2", tagged: "", details: true },
  { what: "its Service asked for one", asked: undefined, tagged: "sub-2", details: true },
])("reads the subnets of members where $what", async ({ asked, tagged, details }) => {
  const key = "loadbalancer.openstack.org/member-subnet-id";
  const annotations = asked === undefined ? {} : { [key]: asked };
  const tags = tagsFor({ tags: [] }, OWNER, { memberSubnetId: tagged });
  const member = { id: "m-1", name: "n1", address: "10.0.0.1", protocol_port: 1 };
  const { owned } = await observedWith(
    {
      loadBalancers: async () => [loadBalancer({ tags, pools: [{ id: "po-1" }] })],
      pools: async () => [
        poolSchema.parse({
          ...{ id: "po-1", protocol: "TCP", lb_algorithm: "ROUND_ROBIN" },
          ...{ loadbalancers: [{ id: "lb-1" }], members: [{ id: "m-1" }] },
        }),
      ],
      memberStatuses: async () => new Map([["po-1", [memberSchema.parse(member)]]]),
      members: async () => [memberSchema.parse({ ...member, subnet_id: "sub-1" })],
    },
    { ...OWNER, annotations },
  );
  expect(owned[0]?.inside?.pools).toMatchObject([
    { hasDetails: details, tree: [details ? { subnet_id: "sub-1" } : { id: "m-1" }] },
  ]);
});
