import type { Instance } from "../../harness/cloud.ts";
import { KubeFailure, type Node } from "../../harness/kube.ts";
import { allRoutes, dropRoute, putRoute } from "../../harness/routes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { createNode, nodeStays } from "../environment/objects.ts";
import type { Scenario, World } from "../environment/scenario.ts";
import { recorded, warned } from "../environment/told.ts";
import {
  CREATED,
  condition,
  dropNode,
  FOREIGN_MARK,
  hasCondition,
  join,
  leadsTo,
  machine,
  NOT_CREATED,
  PERIOD_MS,
  register,
  routeStays,
  routeTo,
} from "./objects.ts";

const FAILED = "FailedToCreateRoute";

/** Rows B-21 to B-28: what pod ranges and route tables can have wrong. Numbers are ours. */
export const WRONG_ROUTES: readonly Scenario[] = [
  {
    id: "B-21",
    title: "a malformed pod range comes no further than the API server",
    async run(world) {
      const refused = await join(world, "b-21", ["10.120.1"]).then(
        () => undefined,
        (error: unknown) => error,
      );
      demand(
        refused instanceof KubeFailure && refused.status === 422,
        `the API server answered ${refused}`,
      );
    },
  },
  {
    id: "B-22",
    title: "of two nodes with overlapping ranges the older is served, and the other told why",
    async run(world) {
      const older = await join(world, "b-22-a", ["10.120.110.0/23"]);
      await condition(world, "b-22-a", CREATED);
      await aSecondLater(older.node);
      await join(world, "b-22-b", ["10.120.111.0/24"]);
      await condition(world, "b-22-b", NOT_CREATED);
      await warned(world, "b-22-b", [FAILED, "10.120.111.0/24", "b-22-a"]);
      await recorded(world, "b-22-b", { code: "PodCIDROverlap", other: "b-22-a" });
      same(await routeTo(world, "10.120.111.0/24"), undefined, "the route of the younger");
      await leadsTo(world, "10.120.110.0/23", older.instance);
    },
  },
  {
    id: "B-23",
    title: "of two nodes with one range the younger waits for the older to go",
    async run(world) {
      const older = await join(world, "b-23-a", ["10.120.112.0/24"]);
      await condition(world, "b-23-a", CREATED);
      await aSecondLater(older.node);
      const { instance } = await join(world, "b-23-b", ["10.120.112.0/24"]);
      await condition(world, "b-23-b", NOT_CREATED);
      await recorded(world, "b-23-b", { code: "PodCIDRDuplicate", other: "b-23-a" });
      await dropNode(world, "b-23-a");
      await leadsTo(world, "10.120.112.0/24", instance);
      await condition(world, "b-23-b", CREATED);
    },
  },
  {
    id: "B-24",
    title: "a range outside the cluster's gets its route, which then stays",
    async run(world) {
      const { instance } = await join(world, "b-24", ["172.19.24.0/24"]);
      const route = await leadsTo(world, "172.19.24.0/24", instance);
      await condition(world, "b-24", CREATED);
      await dropNode(world, "b-24");
      await routeStays(world, route, 3);
    },
  },
  {
    id: "B-25",
    title: "with two clusters on one table neither takes the other's routes",
    async run(world) {
      const theirs = await world.cloud.put({ name: "b-25-theirs" });
      const foreign = [];
      for (const third of [114, 115, 116])
        foreign.push(
          await putRoute(world.cloud, {
            destination: `10.120.${third}.0/24`,
            instanceId: theirs.id,
            tags: FOREIGN_MARK,
          }),
        );
      const { instance } = await join(world, "b-25", ["10.120.117.0/24"]);
      const blocked = await join(world, "b-25-same", ["10.120.116.0/24"]);
      await leadsTo(world, "10.120.117.0/24", instance);
      await warned(world, "b-25-same", [FAILED, "10.120.116.0/24", "the cluster"]);
      await Promise.all(foreign.map((route) => routeStays(world, route, 3)));
      await dropRoute(world.cloud, foreign[2]?.id ?? "");
      await leadsTo(world, "10.120.116.0/24", blocked.instance);
    },
  },
  {
    id: "B-26",
    title: "a table without any room blocks new nodes alone",
    async run(world) {
      const { instance } = await join(world, "b-26-old", ["10.120.118.0/24"]);
      const route = await leadsTo(world, "10.120.118.0/24", instance);
      const used = (await allRoutes(world.cloud)).length;
      await world.cloud.setFaults({ quotas: { routes: used } });
      const late = await join(world, "b-26-new", ["10.120.119.0/24"]);
      await warned(world, "b-26-new", [FAILED, "10.120.119.0/24", "quota"]);
      await recorded(world, "b-26-new", { code: "RouteTableFull" });
      await routeStays(world, route, 3);
      await condition(world, "b-26-old", CREATED);
      await world.cloud.setFaults({});
      await leadsTo(world, "10.120.119.0/24", late.instance);
      await eventually(async () => same((await allRoutes(world.cloud)).length, used + 1, "routes"));
    },
  },
  {
    id: "B-27",
    title: "nodes without a provider ID keep the routes that somebody made to their machines",
    async run(world) {
      const right = await machine(world, "b-27-right");
      const other = await machine(world, "b-27-other");
      const bare = await machine(world, "b-27-bare");
      const made = await putRoute(world.cloud, {
        destination: "10.120.120.0/24",
        instanceId: right.id,
      });
      for (const [destination, { id }] of [
        ["10.120.121.0/24", right],
        ["10.120.122.0/24", bare],
      ] as const)
        await putRoute(world.cloud, { destination, instanceId: id });
      await registerBare(world, right, ["10.120.120.0/24"]);
      await registerBare(world, other, ["10.120.121.0/24"]);
      await registerBare(world, bare, []);
      await condition(world, "b-27-right", CREATED);
      await leadsTo(world, "10.120.121.0/24", other);
      await condition(world, "b-27-other", CREATED);
      await recorded(world, "b-27-bare", { code: "RouteUnowned" });
      demand((await routeTo(world, "10.120.122.0/24")) !== undefined, "it was removed unasked");
      await routeStays(world, made, 2);
    },
  },
  {
    id: "B-28",
    title: "a node of another cloud gets no route, no condition and no call",
    async run(world) {
      const elsewhere = await machine(world, "b-28");
      await register(world, elsewhere, {
        podCIDRs: ["10.120.123.0/24"],
        providerID: "elsewhere://b-28",
      });
      await recorded(world, "b-28", { code: "ForeignNode", providerID: "elsewhere://b-28" });
      await nodeStays(world, "b-28", {
        check: (node) => hasCondition(node, undefined),
        forMs: 2 * PERIOD_MS,
      });
      same(await routeTo(world, "10.120.123.0/24"), undefined, "its route");
    },
  },
];

/** Registered, and not initialised yet. */
function registerBare(
  world: World,
  { name, addresses }: Instance,
  podCIDRs: readonly string[],
): Promise<Node> {
  return createNode(world, name, { taints: [], addresses, podCIDRs });
}

/** Ages are told in whole seconds: a node that is made in the same one is not younger. */
function aSecondLater({ metadata }: Node): Promise<void> {
  const next = Date.parse(metadata.creationTimestamp ?? "") + 1_000;
  return eventually(() => demand(Date.now() > next, "it is still the second of the older node"));
}
