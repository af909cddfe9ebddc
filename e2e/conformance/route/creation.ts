import { dropRoute, putRoute } from "../../harness/routes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { nodeStays, patchNode, seen } from "../environment/objects.ts";
import { warned } from "../environment/reported.ts";
import { rows, type Scenario } from "../environment/scenario.ts";
import {
  assignRanges,
  CREATED,
  condition,
  conditionOf,
  dropNode,
  FOREIGN_OWNER,
  hasCondition,
  join,
  leadsTo,
  machine,
  NOT_CREATED,
  noRouteTo,
  ownerOf,
  PERIOD_MS,
  putOurs,
  register,
  routeStays,
  routeTo,
  setCondition,
} from "./objects.ts";

/** Rows: one controller, each row its own ranges. */
export const ROUTE_CREATION: readonly Scenario[] = rows({
  "R-01 each node gets a route to its pod range, and its condition says so": async (env) => {
    const first = await join(env, "r-01-a", ["10.120.0.0/24"]);
    const second = await join(env, "r-01-b", ["10.120.1.0/24"]);
    const one = await leadsTo(env, "10.120.0.0/24", first.instance);
    const other = await leadsTo(env, "10.120.1.0/24", second.instance);
    same(one.name, first.node.metadata.uid, "the hint of the first");
    same(other.name, second.node.metadata.uid, "the hint of the second");
    const uid = first.node.metadata.uid ?? "";
    same(one.tags, { ...one.tags, ...(await ownerOf(env, "r-01-a", uid)) }, "its mark");
    for (const name of ["r-01-a", "r-01-b"]) {
      const node = await condition(env, name, CREATED);
      same(conditionOf(node)?.message, "RouteController created a route", "the message");
    }
  },
  "R-02 routes that are there are left alone, and their nodes, too": async (env) => {
    const { instance } = await join(env, "r-02", ["10.120.4.0/24"]);
    const route = await leadsTo(env, "10.120.4.0/24", instance);
    const node = await condition(env, "r-02", CREATED);
    await Promise.all([
      routeStays(env, route),
      nodeStays(env, "r-02", {
        check: ({ metadata }) =>
          same(metadata.resourceVersion, node.metadata.resourceVersion, "the node's version"),
        forMs: 5 * PERIOD_MS,
      }),
    ]);
  },
  "R-03 a route that was lost comes back": async (env) => {
    const { instance } = await join(env, "r-03", ["10.120.6.0/24"]);
    const { id } = await leadsTo(env, "10.120.6.0/24", instance);
    await dropRoute(env.cloud, id);
    const again = await leadsTo(env, "10.120.6.0/24", instance);
    demand(again.id !== id, "it is the one that was deleted");
  },
  "R-04 a route of ours to an unknown node is deleted": async (env) => {
    const instance = await env.cloud.put({ name: "r-04-unknown" });
    await putOurs(env, { destination: "10.120.8.0/24", instanceId: instance.id });
    await noRouteTo(env, "10.120.8.0/24");
  },
  "R-05 routes outside the ranges stay, wherever they lead": async (env) => {
    const { instance } = await join(env, "r-05", ["10.120.10.0/24"]);
    await leadsTo(env, "10.120.10.0/24", instance);
    const unmarked = { destination: "10.1.2.0/24", instanceId: instance.id };
    const routes = [
      await putRoute(env.cloud, unmarked),
      await putOurs(env, { destination: "10.1.3.0/24", instanceId: instance.id }),
    ];
    await Promise.all(routes.map((route) => routeStays(env, route)));
  },
  "R-06 a blackhole of ours inside the ranges is deleted": async (env) => {
    const instance = await env.cloud.put({ name: "r-06-gone" });
    await putOurs(env, { destination: "10.120.12.0/24", instanceId: instance.id });
    await env.cloud.remove(instance.id);
    await noRouteTo(env, "10.120.12.0/24");
  },
  "R-07 a blackhole outside the ranges stays": async (env) => {
    const instance = await env.cloud.put({ name: "r-07-gone" });
    const { destination } = await putOurs(env, {
      destination: "10.1.7.0/24",
      instanceId: instance.id,
    });
    await env.cloud.remove(instance.id);
    const route = await routeTo(env, destination);
    demand(route?.blackhole === true, "it is no blackhole");
    await routeStays(env, route);
  },
  "R-08 a route of ours that leads nowhere is deleted": async (env) => {
    await putOurs(env, { destination: "10.120.16.0/24" });
    await noRouteTo(env, "10.120.16.0/24");
  },
  "R-09 the routes of a deleted node go": async (env) => {
    const { instance } = await join(env, "r-09", ["10.120.18.0/24", "fd00:120:0:9::/64"]);
    await leadsTo(env, "10.120.18.0/24", instance);
    await leadsTo(env, "fd00:120:0:9::/64", instance);
    await dropNode(env, "r-09");
    await noRouteTo(env, "10.120.18.0/24");
    await noRouteTo(env, "fd00:120:0:9::/64");
  },
  "R-10 a node without pod ranges gets no route and no condition": async (env) => {
    await join(env, "r-10", []);
    await nodeStays(env, "r-10", {
      check: (node) => hasCondition(node, undefined),
      forMs: 4 * PERIOD_MS,
    });
  },
  "R-11 a node without pod ranges loses the route that leads to it, and its condition says so":
    async (env) => {
      const { instance, node } = await join(env, "r-11", []);
      const tags = await ownerOf(env, "r-11", node.metadata.uid ?? "");
      const route = { destination: "10.120.22.0/24", instanceId: instance.id };
      await putRoute(env.cloud, { ...route, tags });
      await noRouteTo(env, "10.120.22.0/24");
      await condition(env, "r-11", NOT_CREATED);
    },
  "R-12 a range that is assigned later gets its route": async (env) => {
    const { instance } = await join(env, "r-12", []);
    await assignRanges(env, "r-12", ["10.120.24.0/24"]);
    await leadsTo(env, "10.120.24.0/24", instance);
    await condition(env, "r-12", CREATED);
  },
  "R-16 dual-stack nodes get a route for each family before their condition says so": async (
    env,
  ) => {
    const first = await join(env, "r-16-a", ["10.120.32.0/24", "fd00:120:0:1632::/64"]);
    const second = await join(env, "r-16-b", ["10.120.33.0/24", "fd00:120:0:1633::/64"]);
    await leadsTo(env, "10.120.32.0/24", first.instance);
    await leadsTo(env, "fd00:120:0:1632::/64", first.instance);
    await leadsTo(env, "10.120.33.0/24", second.instance);
    await leadsTo(env, "fd00:120:0:1633::/64", second.instance);
    await condition(env, "r-16-a", CREATED);
    await condition(env, "r-16-b", CREATED);
  },
  "R-18 dual stack routes whose targets are swapped come right": async (env) => {
    const first = await machine(env, "r-18-a");
    const second = await machine(env, "r-18-b");
    const ofFirst = ["10.120.36.0/24", "fd00:120:0:1836::/64"];
    const ofSecond = ["10.120.37.0/24", "fd00:120:0:1837::/64"];
    for (const destination of ofFirst)
      await putRoute(env.cloud, { destination, instanceId: second.id });
    for (const destination of ofSecond)
      await putRoute(env.cloud, { destination, instanceId: first.id });
    await Promise.all([
      register(env, first, { podCIDRs: ofFirst }),
      register(env, second, { podCIDRs: ofSecond }),
    ]);
    for (const destination of ofFirst) await leadsTo(env, destination, first);
    for (const destination of ofSecond) await leadsTo(env, destination, second);
    await condition(env, "r-18-a", CREATED);
    await condition(env, "r-18-b", CREATED);
  },
  "R-22 a condition that somebody else wrote is written over": async (env) => {
    await join(env, "r-22", ["10.120.44.0/24"]);
    await condition(env, "r-22", CREATED);
    await setCondition(env, "r-22", { status: "False", reason: "CalicoIsUp" });
    await condition(env, "r-22", CREATED);
  },
  "R-34 a range that moves to another node is freed before it is taken": async (env) => {
    const old = await join(env, "r-34-old", ["10.120.68.0/24"]);
    const before = await leadsTo(env, "10.120.68.0/24", old.instance);
    const instance = await machine(env, "r-34-new");
    await dropNode(env, "r-34-old");
    await register(env, instance, { podCIDRs: ["10.120.68.0/24"] });
    const after = await leadsTo(env, "10.120.68.0/24", instance);
    demand(after.id !== before.id, "it is the old route");
    await condition(env, "r-34-new", CREATED);
    const reported = env.events
      .all()
      .filter(
        ({ involvedObject, reason }) =>
          involvedObject.name === "r-34-new" && reason === "FailedToCreateRoute",
      );
    same(reported.length, 0, "Events of a route that could not be created");
  },
  "R-36 routes of another cluster, and of nobody, stay inside the range, and are reported": async (
    env,
  ) => {
    const instance = await env.cloud.put({ name: "r-36-theirs" });
    const to = { instanceId: instance.id };
    const theirs = { ...to, destination: "10.120.72.0/24", tags: FOREIGN_OWNER };
    const routes = [
      await putRoute(env.cloud, theirs),
      await putRoute(env.cloud, { ...to, destination: "10.120.73.0/24" }),
      await putRoute(env.cloud, { destination: "10.120.74.0/24" }),
    ];
    await Promise.all(routes.map((route) => routeStays(env, route)));
    await eventually(async () => {
      const runs = await env.history(["--limit", "200"]);
      const seen = runs.some(
        ({ object, reason }) =>
          object.kind === "RouteTable" &&
          reason?.code === "RouteTableSeen" &&
          Number(reason.foreign) >= routes.length,
      );
      demand(seen, "no run reports them");
    });
  },
  "R-45 a range that somebody else's route leads to is not stolen, and that is explained": async (
    env,
  ) => {
    const theirs = await env.cloud.put({ name: "r-45-theirs" });
    const destination = "10.120.90.0/24";
    const route = await putRoute(env.cloud, { destination, instanceId: theirs.id });
    await join(env, "r-45", [destination]);
    await condition(env, "r-45", NOT_CREATED);
    await warned(env, "r-45", ["FailedToCreateRoute", destination, route.id]);
    await routeStays(env, route, 3);
    await dropRoute(env.cloud, route.id);
    await condition(env, "r-45", CREATED);
  },
  "R-47 the route of a node that lingers stays as long as the node": async (env) => {
    const finalizers = ["example.com/keeps"];
    const { instance } = await join(env, "r-47", ["10.120.94.0/24"], { finalizers });
    const route = await leadsTo(env, "10.120.94.0/24", instance);
    await dropNode(env, "r-47");
    await eventually(() =>
      demand(seen(env, "r-47").metadata.deletionTimestamp !== undefined, "it is not deleted"),
    );
    await routeStays(env, route, 3);
    await patchNode(env, "r-47", { metadata: { finalizers: null } });
    await noRouteTo(env, "10.120.94.0/24");
  },
});
