import type { Instance } from "../../harness/cloud.ts";
import { KubeFailure, type Node } from "../../harness/kube.ts";
import { allRoutes, dropRoute, putRoute } from "../../harness/routes.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { createNode, nodeStays } from "../environment/objects.ts";
import { recorded, warned } from "../environment/reported.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import {
  CREATED,
  condition,
  dropNode,
  FOREIGN_OWNER,
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

/** Rows B-21 to B-28: possible faults of pod ranges and route tables. These numbers are ours. */
export const WRONG_ROUTES: readonly Scenario[] = rows({
  "B-21 a malformed pod range comes no further than the API server": async (env) => {
    const refused = await join(env, "b-21", ["10.120.1"]).then(
      () => undefined,
      (error: unknown) => error,
    );
    demand(
      refused instanceof KubeFailure && refused.status === 422,
      `the API server answered ${refused}`,
    );
  },
  "B-22 of two nodes with overlapping ranges the older is served, and the other has an Event that says why":
    async (env) => {
      const older = await join(env, "b-22-a", ["10.120.110.0/23"]);
      await condition(env, "b-22-a", CREATED);
      await aSecondLater(older.node);
      await join(env, "b-22-b", ["10.120.111.0/24"]);
      await condition(env, "b-22-b", NOT_CREATED);
      await warned(env, "b-22-b", [FAILED, "10.120.111.0/24", "b-22-a"]);
      await recorded(env, "b-22-b", { code: "PodCIDROverlap", other: "b-22-a" });
      same(await routeTo(env, "10.120.111.0/24"), undefined, "the route of the younger");
      await leadsTo(env, "10.120.110.0/23", older.instance);
    },
  "B-23 of two nodes with one range the younger waits for the older to go": async (env) => {
    const older = await join(env, "b-23-a", ["10.120.112.0/24"]);
    await condition(env, "b-23-a", CREATED);
    await aSecondLater(older.node);
    const { instance } = await join(env, "b-23-b", ["10.120.112.0/24"]);
    await condition(env, "b-23-b", NOT_CREATED);
    await recorded(env, "b-23-b", { code: "PodCIDRDuplicate", other: "b-23-a" });
    await dropNode(env, "b-23-a");
    await leadsTo(env, "10.120.112.0/24", instance);
    await condition(env, "b-23-b", CREATED);
  },
  "B-24 a range outside the cluster's gets its route, which then stays": async (env) => {
    const { instance } = await join(env, "b-24", ["172.19.24.0/24"]);
    const route = await leadsTo(env, "172.19.24.0/24", instance);
    await condition(env, "b-24", CREATED);
    await dropNode(env, "b-24");
    await routeStays(env, route, 3);
  },
  "B-25 with two clusters on one table neither takes the other's routes": async (env) => {
    const theirs = await env.cloud.put({ name: "b-25-theirs" });
    const foreign = [];
    for (const third of [114, 115, 116])
      foreign.push(
        await putRoute(env.cloud, {
          destination: `10.120.${third}.0/24`,
          instanceId: theirs.id,
          tags: FOREIGN_OWNER,
        }),
      );
    const { instance } = await join(env, "b-25", ["10.120.117.0/24"]);
    const blocked = await join(env, "b-25-same", ["10.120.116.0/24"]);
    await leadsTo(env, "10.120.117.0/24", instance);
    await warned(env, "b-25-same", [FAILED, "10.120.116.0/24", "the cluster"]);
    await Promise.all(foreign.map((route) => routeStays(env, route, 3)));
    await dropRoute(env.cloud, foreign[2]?.id ?? "");
    await leadsTo(env, "10.120.116.0/24", blocked.instance);
  },
  "B-26 a table without any room blocks new nodes alone": async (env) => {
    const { instance } = await join(env, "b-26-old", ["10.120.118.0/24"]);
    const route = await leadsTo(env, "10.120.118.0/24", instance);
    const used = (await allRoutes(env.cloud)).length;
    await env.cloud.setFaults({ quotas: { routes: used } });
    const late = await join(env, "b-26-new", ["10.120.119.0/24"]);
    await warned(env, "b-26-new", [FAILED, "10.120.119.0/24", "quota"]);
    await recorded(env, "b-26-new", { code: "RouteTableFull" });
    await routeStays(env, route, 3);
    await condition(env, "b-26-old", CREATED);
    await env.cloud.setFaults({});
    await leadsTo(env, "10.120.119.0/24", late.instance);
    await eventually(async () => same((await allRoutes(env.cloud)).length, used + 1, "routes"));
  },
  "B-27 nodes without a provider ID keep the routes that somebody made to their machines": async (
    env,
  ) => {
    const right = await machine(env, "b-27-right");
    const other = await machine(env, "b-27-other");
    const bare = await machine(env, "b-27-bare");
    const made = await putRoute(env.cloud, {
      destination: "10.120.120.0/24",
      instanceId: right.id,
    });
    for (const [destination, { id }] of [
      ["10.120.121.0/24", right],
      ["10.120.122.0/24", bare],
    ] as const)
      await putRoute(env.cloud, { destination, instanceId: id });
    await registerBare(env, right, ["10.120.120.0/24"]);
    await registerBare(env, other, ["10.120.121.0/24"]);
    await registerBare(env, bare, []);
    await condition(env, "b-27-right", CREATED);
    await leadsTo(env, "10.120.121.0/24", other);
    await condition(env, "b-27-other", CREATED);
    await recorded(env, "b-27-bare", { code: "RouteUnowned" });
    demand((await routeTo(env, "10.120.122.0/24")) !== undefined, "it was removed unasked");
    await routeStays(env, made, 2);
  },
  "B-28 a node of another cloud gets no route, no condition and no call": async (env) => {
    const elsewhere = await machine(env, "b-28");
    await register(env, elsewhere, {
      podCIDRs: ["10.120.123.0/24"],
      providerID: "elsewhere://b-28",
    });
    await recorded(env, "b-28", { code: "ForeignNode", providerID: "elsewhere://b-28" });
    await nodeStays(env, "b-28", {
      check: (node) => hasCondition(node, undefined),
      forMs: 2 * PERIOD_MS,
    });
    same(await routeTo(env, "10.120.123.0/24"), undefined, "its route");
  },
});

/** Registers a node that is not initialised yet. */
function registerBare(
  env: SharedEnvironment,
  { name, addresses }: Instance,
  podCIDRs: readonly string[],
): Promise<Node> {
  return createNode(env, name, { taints: [], addresses, podCIDRs });
}

/** Ages are in whole seconds: a node created in the same one is not younger. */
function aSecondLater({ metadata }: Node): Promise<void> {
  const next = Date.parse(metadata.creationTimestamp ?? "") + 1_000;
  return eventually(() => demand(Date.now() > next, "it is still the second of the older node"));
}
