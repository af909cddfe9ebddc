import { recordedContexts } from "@cloudwright/provider-api/kit";
import { expect, it } from "vitest";
import { observeLoadBalancers } from "./observe.ts";
import { type LoadBalancer, loadBalancerSchema } from "./observed.ts";
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
  const observations = await observeLoadBalancers(
    {
      reads: { ...NOTHING, loadBalancers: async () => loadBalancers },
      config: config(),
      context: recordedContexts({ provider: "openstack" }).context(),
      now: () => AT,
    },
    [OWNER],
  );
  const observation = observations.get(OWNER.objectUid);
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

it("waits for one of its name whose tags Octavia dropped while it deletes it", async () => {
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

it("sees nothing in one that is deleted and still listed", async () => {
  const { owned, candidates } = await observed(
    loadBalancer({ provisioning_status: "DELETED", tags: tagsFor({ tags: [] }, OWNER) }),
  );
  expect([...owned, ...candidates]).toEqual([]);
});
