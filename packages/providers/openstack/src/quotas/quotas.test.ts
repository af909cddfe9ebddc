import { expect, it, onTestFinished } from "vitest";
import { type CloudOptions, startCloud } from "../testing/cloud.ts";
import { createQuotas } from "./quotas.ts";

const OCTAVIA = "GET /load-balancer/v2.0/lbaas";

async function cloudThat(options: CloudOptions) {
  const cloud = await startCloud(options);
  onTestFinished(() => cloud.close());
  const sources = createQuotas(cloud);
  return {
    cloud,
    services: sources.map(({ service }) => service),
    list: async (service: string) => {
      const source = sources.find((each) => each.service === service);
      if (source === undefined) throw new Error(`no quotas of ${service}`);
      return source.list(cloud.context());
    },
  };
}

it("of Octavia are counted if there is a limit, with members in their pools", async () => {
  const quota = { load_balancer: 10, listener: -1, pool: null, member: 50, health_monitor: 0 };
  const { list, cloud } = await cloudThat({
    answers: {
      [`${OCTAVIA}/quotas/p-1`]: { body: { quota } },
      [`${OCTAVIA}/loadbalancers`]: { body: { loadbalancers: [{ id: "a" }, { id: "b" }] } },
      [`${OCTAVIA}/pools`]: {
        body: {
          pools: [
            { id: "p", members: [{ id: "1" }, { id: "2" }] },
            { id: "q", members: [] },
          ],
        },
      },
      [`${OCTAVIA}/healthmonitors`]: { body: { healthmonitors: [] } },
    },
  });
  expect(await list("Octavia")).toEqual([
    { resource: "load balancers", limit: 10, used: 2 },
    { resource: "listeners", limit: undefined, used: undefined },
    { resource: "pools", limit: undefined, used: 2 },
    { resource: "members", limit: 50, used: 2 },
    { resource: "health monitors", limit: 0, used: 0 },
  ]);
  expect(cloud.service.requests(`${OCTAVIA}/pools`).map(({ query }) => String(query))).toEqual([
    "limit=1000&project_id=p-1&fields=id&fields=members",
  ]);
});

it("of Octavia need one request if nothing is limited", async () => {
  const { list, cloud } = await cloudThat({
    answers: { [`${OCTAVIA}/quotas/p-1`]: { body: { quota: { load_balancer: -1 } } } },
  });
  expect((await list("Octavia")).every(({ limit }) => limit === undefined)).toBe(true);
  expect(cloud.calls.filter(({ operation }) => operation.startsWith("loadbalancer_"))).toEqual([
    { operation: "loadbalancer_quota_get", target: "p-1", mutates: false },
  ]);
});

it("of Neutron include reservations, and only the quotas that it has", async () => {
  const quota = {
    floatingip: { limit: 50, used: 47, reserved: 2 },
    port: { limit: -1, used: 12, reserved: [] },
    network: { limit: 100, used: 1, reserved: 0 },
  };
  const { list } = await cloudThat({
    answers: { "GET /network/v2.0/quotas/p-1/details": { body: { quota } } },
  });
  expect(await list("Neutron")).toEqual([
    { resource: "floating IPs", limit: 50, used: 49 },
    { resource: "ports", limit: undefined, used: 12 },
  ]);
});

it("of Nova are its limits for the project", async () => {
  const absolute = {
    ...{ maxTotalInstances: 10, totalInstancesUsed: 3, maxTotalCores: -1, totalCoresUsed: 6 },
    ...{ maxTotalRAMSize: 51_200, totalRAMUsed: 6_144 },
  };
  const { list } = await cloudThat({
    answers: { "GET /compute/v2.1/limits": { body: { limits: { absolute, rate: [] } } } },
  });
  expect(await list("Nova")).toEqual([
    { resource: "servers", limit: 10, used: 3 },
    { resource: "cores", limit: undefined, used: 6 },
    { resource: "MiB of memory", limit: 51_200, used: 6_144 },
  ]);
});

it("that the policy hides are refused in the service's words, which does not mean an exhausted quota", async () => {
  const message = "rule:get_quota is disallowed by policy";
  const body = { NeutronError: { type: "PolicyNotAuthorized", message, detail: "" } };
  const { list } = await cloudThat({
    answers: { "GET /network/v2.0/quotas/p-1/details": { status: 403, body } },
  });
  await expect(list("Neutron")).rejects.toMatchObject({
    code: "Unauthorized",
    message: expect.stringContaining(message),
  });
});

it("of Octavia are not read if it creates no load balancers", async () => {
  const { services } = await cloudThat({ answers: {}, conf: "[LoadBalancer]\nenabled = false" });
  expect(services).toEqual(["Neutron", "Nova"]);
});
