import type { CloudChange } from "@cloudwright/provider-api";
import { afterEach, describe, expect, it } from "vitest";
import { type Answers, type CloudUnderTest, startCloud } from "../testing/cloud.ts";
import { applyChange, type Turns } from "./apply.ts";
import type { ChangeRequest } from "./changes.ts";
import { NOTHING, OWNER, observed, planned } from "./testing/lb-fixture.ts";

const LBS = "/load-balancer/v2.0/lbaas/loadbalancers";
const FIPS = "/network/v2.0/floatingips";
const clouds: CloudUnderTest[] = [];

afterEach(async () => {
  for (const cloud of clouds.splice(0)) await cloud.close();
});

async function start(answers: Answers) {
  const cloud = await startCloud({ answers });
  clouds.push(cloud);
  const turns: Turns = new Map();
  const apply = (change: CloudChange) =>
    applyChange({ client: cloud.client, turns }, change, cloud.context());
  return { cloud, apply };
}

function changeWith(request: ChangeRequest): CloudChange {
  const words = { action: "update", what: "", target: "lb-1", before: null, after: null } as const;
  return { ...words, request: JSON.parse(JSON.stringify(request)) };
}

function creation(): CloudChange {
  const [change] = planned({ observed: observed(NOTHING) }).changes;
  if (change === undefined) throw new Error("nothing is planned");
  return change;
}

const MARK = [
  `cloudwright:cluster=${OWNER.clusterUid}`,
  `cloudwright:service=${OWNER.objectUid}/shop/web`,
];

describe("a creation", () => {
  it("creates nothing if one with our mark exists: the answer to an earlier attempt was lost", async () => {
    const there = { id: "lb-1", provisioning_status: "PENDING_CREATE", tags: MARK };
    const { cloud, apply } = await start({
      [`GET ${LBS}`]: { body: { loadbalancers: [there] } },
    });
    await apply(creation());
    expect(cloud.service.requests(`POST ${LBS}`)).toHaveLength(0);
  });

  it("creates one despite another's with the same name, and despite one that is being deleted", async () => {
    const there = [
      { id: "lb-1", provisioning_status: "ACTIVE", tags: ["cloudwright:cluster=other"] },
      { id: "lb-2", provisioning_status: "PENDING_DELETE", tags: MARK },
    ];
    const { cloud, apply } = await start({
      [`GET ${LBS}`]: { body: { loadbalancers: there } },
      [`POST ${LBS}`]: { status: 201, body: { loadbalancer: { id: "lb-3" } } },
    });
    await apply(creation());
    expect(cloud.service.requests(`POST ${LBS}`)).toHaveLength(1);
  });

  it("does without its former address if that is in use", async () => {
    const change = creation();
    const request = { ...(change.request as object), preferredAddress: "10.0.0.9" };
    const { cloud, apply } = await start({
      [`GET ${LBS}`]: { body: { loadbalancers: [] } },
      [`POST ${LBS}`]: ({ body }) =>
        JSON.stringify(body).includes("10.0.0.9")
          ? { status: 409, body: { faultcode: "Client", faultstring: "in use" } }
          : { status: 201, body: { loadbalancer: { id: "lb-3" } } },
    });
    await apply({ ...change, request: request as CloudChange["request"] });
    expect(cloud.service.requests(`POST ${LBS}`)).toHaveLength(2);
  });
});

it("takes a floating IP from the first subnet with a free address", async () => {
  const full = {
    NeutronError: {
      type: "IpAddressGenerationFailure",
      message: "No more IP addresses",
      detail: "",
    },
  };
  const { cloud, apply } = await start({
    [`POST ${FIPS}`]: ({ body }) =>
      JSON.stringify(body).includes("full")
        ? { status: 409, body: full }
        : { status: 201, body: { floatingip: { id: "f" } } },
  });
  await apply(
    changeWith({
      kind: "createFloatingIp",
      body: { port_id: "p" },
      subnets: ["full", "free", "more"],
    }),
  );
  const tried = cloud.service.requests(`POST ${FIPS}`).map(({ body }) => body);
  expect(tried).toMatchObject([
    { floatingip: { subnet_id: "full" } },
    { floatingip: { subnet_id: "free" } },
  ]);
});

describe("a change", () => {
  const gone = { status: 404, body: { faultcode: "Client", faultstring: "not found" } };

  it("that removes something already gone is done", async () => {
    const { apply } = await start({ [`DELETE ${LBS}/lb-1`]: gone });
    const request = { kind: "send", service: "load-balancer", method: "DELETE" } as const;
    await apply(changeWith({ ...request, resource: "loadbalancer", path: "loadbalancers/lb-1" }));
  });

  it("of a shared load balancer is not sent while Octavia is busy, and never two at the same time", async () => {
    let state = "PENDING_UPDATE";
    const { cloud, apply } = await start({
      [`GET ${LBS}/lb-1`]: () => ({
        body: { loadbalancer: { id: "lb-1", provisioning_status: state } },
      }),
      [`PUT ${LBS}/lb-1`]: () => {
        state = "PENDING_UPDATE";
        return { body: {} };
      },
    });
    const change = changeWith({
      ...{ kind: "send", service: "load-balancer", method: "PUT", resource: "loadbalancer" },
      ...{ path: "loadbalancers/lb-1", body: {}, shared: "lb-1" },
    });
    await expect(apply(change)).rejects.toMatchObject({ code: "Conflict" });
    expect(cloud.service.requests(`PUT ${LBS}/lb-1`)).toHaveLength(0);
    state = "ACTIVE";
    const results = await Promise.allSettled([apply(change), apply(change)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(cloud.service.requests(`PUT ${LBS}/lb-1`)).toHaveLength(1);
  });

  it("that is refused for one node's address names that node", async () => {
    const refused = {
      status: 400,
      body: { faultcode: "Client", faultstring: "The address 10.0.0.11 is not usable." },
    };
    const { apply } = await start({ "PUT /load-balancer/v2.0/lbaas/pools/p/members": refused });
    const change = changeWith({
      ...{ kind: "send", service: "load-balancer", method: "PUT", resource: "members" },
      ...{ path: "pools/p/members", body: { members: [] } },
      memberIds: { "10.0.0.1": "openstack:///a", "10.0.0.11": "openstack:///b" },
    });
    await expect(apply(change)).rejects.toMatchObject({ call: { member: "openstack:///b" } });
  });
});
