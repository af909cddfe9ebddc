import { dropRoute, putRoute } from "../../harness/routes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { nodeStays, patchNode, seen } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";
import { warned } from "../environment/told.ts";
import {
  assignRanges,
  CREATED,
  condition,
  conditionOf,
  dropNode,
  FOREIGN_MARK,
  hasCondition,
  join,
  leadsTo,
  machine,
  markOf,
  NOT_CREATED,
  noRouteTo,
  PERIOD_MS,
  putOurs,
  register,
  routeStays,
  routeTo,
  setCondition,
} from "./objects.ts";

/** Rows: one controller, each row its own ranges. */
export const ROUTE_CREATION: readonly Scenario[] = [
  {
    id: "R-01",
    title: "each node gets a route to its pod range, and is told so",
    async run(world) {
      const first = await join(world, "r-01-a", ["10.120.0.0/24"]);
      const second = await join(world, "r-01-b", ["10.120.1.0/24"]);
      const one = await leadsTo(world, "10.120.0.0/24", first.instance);
      const other = await leadsTo(world, "10.120.1.0/24", second.instance);
      same(one.name, first.node.metadata.uid, "the hint of the first");
      same(other.name, second.node.metadata.uid, "the hint of the second");
      const uid = first.node.metadata.uid ?? "";
      same(one.tags, { ...one.tags, ...(await markOf(world, "r-01-a", uid)) }, "its mark");
      for (const name of ["r-01-a", "r-01-b"]) {
        const node = await condition(world, name, CREATED);
        same(conditionOf(node)?.message, "RouteController created a route", "the message");
      }
    },
  },
  {
    id: "R-02",
    title: "routes that are there are left alone, and their nodes, too",
    async run(world) {
      const { instance } = await join(world, "r-02", ["10.120.4.0/24"]);
      const route = await leadsTo(world, "10.120.4.0/24", instance);
      const node = await condition(world, "r-02", CREATED);
      await Promise.all([
        routeStays(world, route),
        nodeStays(world, "r-02", {
          check: ({ metadata }) =>
            same(metadata.resourceVersion, node.metadata.resourceVersion, "the node's version"),
          forMs: 5 * PERIOD_MS,
        }),
      ]);
    },
  },
  {
    id: "R-03",
    title: "a route that was lost comes back",
    async run(world) {
      const { instance } = await join(world, "r-03", ["10.120.6.0/24"]);
      const { id } = await leadsTo(world, "10.120.6.0/24", instance);
      await dropRoute(world.cloud, id);
      const again = await leadsTo(world, "10.120.6.0/24", instance);
      demand(again.id !== id, "it is the one that was deleted");
    },
  },
  {
    id: "R-04",
    title: "a route of ours to an unknown node is deleted",
    async run(world) {
      const instance = await world.cloud.put({ name: "r-04-unknown" });
      await putOurs(world, { destination: "10.120.8.0/24", instanceId: instance.id });
      await noRouteTo(world, "10.120.8.0/24");
    },
  },
  {
    id: "R-05",
    title: "routes outside the ranges stay, wherever they lead",
    async run(world) {
      const { instance } = await join(world, "r-05", ["10.120.10.0/24"]);
      await leadsTo(world, "10.120.10.0/24", instance);
      const unmarked = { destination: "10.1.2.0/24", instanceId: instance.id };
      const routes = [
        await putRoute(world.cloud, unmarked),
        await putOurs(world, { destination: "10.1.3.0/24", instanceId: instance.id }),
      ];
      await Promise.all(routes.map((route) => routeStays(world, route)));
    },
  },
  {
    id: "R-06",
    title: "a blackhole of ours inside the ranges is deleted",
    async run(world) {
      const instance = await world.cloud.put({ name: "r-06-gone" });
      await putOurs(world, { destination: "10.120.12.0/24", instanceId: instance.id });
      await world.cloud.remove(instance.id);
      await noRouteTo(world, "10.120.12.0/24");
    },
  },
  {
    id: "R-07",
    title: "a blackhole outside the ranges stays",
    async run(world) {
      const instance = await world.cloud.put({ name: "r-07-gone" });
      const { destination } = await putOurs(world, {
        destination: "10.1.7.0/24",
        instanceId: instance.id,
      });
      await world.cloud.remove(instance.id);
      const route = await routeTo(world, destination);
      demand(route?.blackhole === true, "it is no blackhole");
      await routeStays(world, route);
    },
  },
  {
    id: "R-08",
    title: "a route of ours that leads nowhere is deleted",
    async run(world) {
      await putOurs(world, { destination: "10.120.16.0/24" });
      await noRouteTo(world, "10.120.16.0/24");
    },
  },
  {
    id: "R-09",
    title: "the routes of a deleted node go",
    async run(world) {
      const { instance } = await join(world, "r-09", ["10.120.18.0/24", "fd00:120:0:9::/64"]);
      await leadsTo(world, "10.120.18.0/24", instance);
      await leadsTo(world, "fd00:120:0:9::/64", instance);
      await dropNode(world, "r-09");
      await noRouteTo(world, "10.120.18.0/24");
      await noRouteTo(world, "fd00:120:0:9::/64");
    },
  },
  {
    id: "R-10",
    title: "a node without pod ranges gets no route and no condition",
    async run(world) {
      await join(world, "r-10", []);
      await nodeStays(world, "r-10", {
        check: (node) => hasCondition(node, undefined),
        forMs: 4 * PERIOD_MS,
      });
    },
  },
  {
    id: "R-11",
    title: "a node without pod ranges loses the route that leads to it, and is told so",
    async run(world) {
      const { instance, node } = await join(world, "r-11", []);
      const tags = await markOf(world, "r-11", node.metadata.uid ?? "");
      const route = { destination: "10.120.22.0/24", instanceId: instance.id };
      await putRoute(world.cloud, { ...route, tags });
      await noRouteTo(world, "10.120.22.0/24");
      await condition(world, "r-11", NOT_CREATED);
    },
  },
  {
    id: "R-12",
    title: "a range that is assigned later gets its route",
    async run(world) {
      const { instance } = await join(world, "r-12", []);
      await assignRanges(world, "r-12", ["10.120.24.0/24"]);
      await leadsTo(world, "10.120.24.0/24", instance);
      await condition(world, "r-12", CREATED);
    },
  },
  {
    id: "R-16",
    title: "dual stack nodes get a route for each family before they are told so",
    async run(world) {
      const first = await join(world, "r-16-a", ["10.120.32.0/24", "fd00:120:0:1632::/64"]);
      const second = await join(world, "r-16-b", ["10.120.33.0/24", "fd00:120:0:1633::/64"]);
      await leadsTo(world, "10.120.32.0/24", first.instance);
      await leadsTo(world, "fd00:120:0:1632::/64", first.instance);
      await leadsTo(world, "10.120.33.0/24", second.instance);
      await leadsTo(world, "fd00:120:0:1633::/64", second.instance);
      await condition(world, "r-16-a", CREATED);
      await condition(world, "r-16-b", CREATED);
    },
  },
  {
    id: "R-18",
    title: "dual stack routes whose targets are swapped come right",
    async run(world) {
      const first = await machine(world, "r-18-a");
      const second = await machine(world, "r-18-b");
      const ofFirst = ["10.120.36.0/24", "fd00:120:0:1836::/64"];
      const ofSecond = ["10.120.37.0/24", "fd00:120:0:1837::/64"];
      for (const destination of ofFirst)
        await putRoute(world.cloud, { destination, instanceId: second.id });
      for (const destination of ofSecond)
        await putRoute(world.cloud, { destination, instanceId: first.id });
      await Promise.all([
        register(world, first, { podCIDRs: ofFirst }),
        register(world, second, { podCIDRs: ofSecond }),
      ]);
      for (const destination of ofFirst) await leadsTo(world, destination, first);
      for (const destination of ofSecond) await leadsTo(world, destination, second);
      await condition(world, "r-18-a", CREATED);
      await condition(world, "r-18-b", CREATED);
    },
  },
  {
    id: "R-22",
    title: "a condition that somebody else wrote is written over",
    async run(world) {
      await join(world, "r-22", ["10.120.44.0/24"]);
      await condition(world, "r-22", CREATED);
      await setCondition(world, "r-22", { status: "False", reason: "CalicoIsUp" });
      await condition(world, "r-22", CREATED);
    },
  },
  {
    id: "R-34",
    title: "a range that moves to another node is freed before it is taken",
    async run(world) {
      const old = await join(world, "r-34-old", ["10.120.68.0/24"]);
      const before = await leadsTo(world, "10.120.68.0/24", old.instance);
      const instance = await machine(world, "r-34-new");
      await dropNode(world, "r-34-old");
      await register(world, instance, { podCIDRs: ["10.120.68.0/24"] });
      const after = await leadsTo(world, "10.120.68.0/24", instance);
      demand(after.id !== before.id, "it is the old route");
      await condition(world, "r-34-new", CREATED);
      const told = world.events
        .all()
        .filter(
          ({ involvedObject, reason }) =>
            involvedObject.name === "r-34-new" && reason === "FailedToCreateRoute",
        );
      same(told.length, 0, "Events of a route that could not be created");
    },
  },
  {
    id: "R-36",
    title: "routes of another cluster, and of nobody, stay inside the range, and are reported",
    async run(world) {
      const instance = await world.cloud.put({ name: "r-36-theirs" });
      const to = { instanceId: instance.id };
      const theirs = { ...to, destination: "10.120.72.0/24", tags: FOREIGN_MARK };
      const routes = [
        await putRoute(world.cloud, theirs),
        await putRoute(world.cloud, { ...to, destination: "10.120.73.0/24" }),
        await putRoute(world.cloud, { destination: "10.120.74.0/24" }),
      ];
      await Promise.all(routes.map((route) => routeStays(world, route)));
      await eventually(async () => {
        const runs = await world.history(["--limit", "200"]);
        const seen = runs.some(
          ({ object, reason }) =>
            object.kind === "RouteTable" &&
            reason?.code === "RouteTableSeen" &&
            Number(reason.foreign) >= routes.length,
        );
        demand(seen, "no run tells of them");
      });
    },
  },
  {
    id: "R-45",
    title: "a range that somebody else's route leads to is not stolen, and that is explained",
    async run(world) {
      const theirs = await world.cloud.put({ name: "r-45-theirs" });
      const destination = "10.120.90.0/24";
      const route = await putRoute(world.cloud, { destination, instanceId: theirs.id });
      await join(world, "r-45", [destination]);
      await condition(world, "r-45", NOT_CREATED);
      await warned(world, "r-45", ["FailedToCreateRoute", destination, route.id]);
      await routeStays(world, route, 3);
      await dropRoute(world.cloud, route.id);
      await condition(world, "r-45", CREATED);
    },
  },
  {
    id: "R-47",
    title: "the route of a node that lingers stays as long as the node",
    async run(world) {
      const finalizers = ["example.com/keeps"];
      const { instance } = await join(world, "r-47", ["10.120.94.0/24"], { finalizers });
      const route = await leadsTo(world, "10.120.94.0/24", instance);
      await dropNode(world, "r-47");
      await eventually(() =>
        demand(seen(world, "r-47").metadata.deletionTimestamp !== undefined, "it is not deleted"),
      );
      await routeStays(world, route, 3);
      await patchNode(world, "r-47", { metadata: { finalizers: null } });
      await noRouteTo(world, "10.120.94.0/24");
    },
  },
];
