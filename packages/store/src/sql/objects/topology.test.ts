import { describe, expect, test } from "vitest";
import { useClusterDatabase } from "../../../testing/cluster-database.ts";
import { fleet } from "../../../testing/fleet.ts";
import { serviceState, verdict } from "../../../testing/load-balancer-records.ts";
import { CLUSTER, objectState } from "../../../testing/records.ts";
import { writeRecords } from "../../../testing/write-records.ts";
import {
  TOPOLOGY_MEMBERS_MOST,
  TOPOLOGY_SERVICES_MOST,
  topologyNodesOf,
} from "../../views/topology.ts";
import { topologyNodes, topologyServices } from "./topology.ts";

const database = useClusterDatabase();

const write = (records: Parameters<typeof writeRecords>[1]) =>
  writeRecords(String(database.db.pool.options.connectionString), records);
const nodesShown = async () =>
  topologyNodesOf(await topologyNodes(database.db, { cluster: CLUSTER }));
const services = (text?: string) => topologyServices(database.db, { cluster: CLUSTER, text });

describe("the nodes of the topology", () => {
  test("are all that are not gone, the worst and longest first, each with its place", async () => {
    await write(fleet());
    const { nodes, isCut } = await nodesShown();
    expect(isCut).toBe(false);
    expect(nodes.map(({ name, state, zone, type }) => [name, state, zone, type])).toEqual([
      ["w-3", "stuck", "z1", "m"],
      ["w-2", "stuck", "z2", "m"],
      ["w-4", "waiting", "z3", "l"],
      ["w-1", "ok", "z1", "s"],
      ["w-6", "ok", "z2", "s"],
    ]);
  });

  test("say why they are not well, and nothing where they are", async () => {
    await write(fleet());
    const { nodes } = await nodesShown();
    expect(nodes.map(({ reason }) => reason !== undefined)).toEqual([
      ...[true, true, true, false, false],
    ]);
  });

  test("say a long reason whole", async () => {
    const message = "x".repeat(5_000);
    await write([
      objectState({ name: "w-1", state: "stuck", reason: { code: "Unexplained", message } }),
      objectState({ name: "w-2", state: "stuck", reason: { code: "Unexplained", message: "y" } }),
    ]);
    const { nodes } = await nodesShown();
    expect(nodes.map(({ name, reason }) => [name, reason])).toEqual([
      ["w-1", { code: "Unexplained", message }],
      ["w-2", { code: "Unexplained", message: "y" }],
    ]);
  });
});

describe("the Services of the topology", () => {
  test("have their load balancer, their listeners and how many nodes stand how towards them", async () => {
    await write([
      serviceState("shop/web", {
        reported: {
          members: [
            verdict("w-1"),
            verdict("w-2", { health: "healthy" }),
            verdict("w-3", { verdict: "out", why: "cordoned" }),
            verdict("w-4", { verdict: "soon" }),
          ],
          aspects: [{ name: "listener 443/TCP", desired: "to 31443", actual: "to 31400" }],
        },
      }),
    ]);
    expect(await services()).toMatchObject({
      total: 1,
      services: [
        {
          name: "shop/web",
          state: "ok",
          loadBalancer: { id: "lb-1", type: "network", addresses: ["203.0.113.7"] },
          listeners: [{ port: 443, protocol: "TCP", nodePort: 31_443, differs: true }],
          members: { in: 2, soon: 1, leaving: 0, out: 1 },
          others: [
            { node: "w-4", verdict: "soon" },
            { node: "w-3", verdict: "out", why: "cordoned" },
            { node: "w-2", verdict: "in", health: "healthy" },
          ],
        },
      ],
    });
  });

  test("have none of it while the cloud has none", async () => {
    await write([
      serviceState("shop/new", { state: "working", detail: undefined }),
      serviceState("shop/web", { state: "stuck", reason: { code: "Uninitialised" } }),
    ]);
    const { services: found } = await services();
    expect(found.map(({ name }) => name)).toEqual(["shop/web", "shop/new"]);
    expect(found[1]).toMatchObject({ listeners: [], others: [], members: { in: 0, out: 0 } });
    expect(found[1]).not.toHaveProperty("loadBalancer");
  });

  test("are those that a text names, in any case, and at most so many", async () => {
    const many = Array.from({ length: TOPOLOGY_SERVICES_MOST + 2 }, (_, index) =>
      serviceState(`shop/web-${index}`),
    );
    await write(many);
    const all = await services();
    expect([all.services.length, all.total]).toEqual([TOPOLOGY_SERVICES_MOST, many.length]);
    expect((await services(" WEB-41 ")).services.map(({ name }) => name)).toEqual(["shop/web-41"]);
    expect(await services("nothing")).toEqual({ services: [], total: 0 });
  });

  test("name at most so many nodes that are not simply in", async () => {
    const members = Array.from({ length: TOPOLOGY_MEMBERS_MOST + 5 }, (_, index) =>
      verdict(`w-${index}`, { verdict: "out", why: "notReady" }),
    );
    await write([serviceState("shop/web", { reported: { members } })]);
    const [service] = (await services()).services;
    expect(service?.others).toHaveLength(TOPOLOGY_MEMBERS_MOST);
    expect(service?.members.out).toBe(members.length);
  });
});
