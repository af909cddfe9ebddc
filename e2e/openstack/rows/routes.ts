import {
  createNode,
  eventsOf,
  initialised,
  untilNode,
} from "../../conformance/environment/objects.ts";
import type { Node } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { LONG_MS } from "../patience.ts";
import { addressOf, type Server } from "../servers.ts";
import { joined, leave } from "./nodes.ts";

export interface ExtraRoute {
  readonly destination: string;
  readonly nexthop: string;
}

const FOREIGN: ExtraRoute = { destination: "192.0.2.0/24", nexthop: "10.20.15.250" };
/** In the pods' range, to an address that is no Node's: another tool's. */
const STRANGE: ExtraRoute = { destination: "10.120.200.0/24", nexthop: "10.20.15.251" };

/** Section 4 of spec/90, as far as a provider can influence it. */
export const routeRows: readonly Row[] = [
  row(
    "O-R-01",
    "a Node's ranges of both families get routes to its server, and its port is opened for them",
    async (env) => {
      const server = await env.servers.create("o-r-01");
      const node = await joined(env, server, ["10.120.1.0/24", "fd00:120:0:1::/64"]);
      await untilRoutes(env, (routes) => {
        const ours = routes.filter(({ nexthop }) => addressesOf(server).includes(nexthop));
        same(ours.map(({ destination }) => destination).sort(), node.spec.podCIDRs, "its routes");
      });
      await untilNode(env, server.name, { check: isConnected, withinMs: LONG_MS });
      same(await pairsOf(env, server), ["10.120.1.0/24", "fd00:120:0:1::/64"], "its address pairs");
    },
  ),
  row("O-R-02", "routes of others on the router are listed and left alone", async (env) => {
    await change(env, "add_extraroutes", [FOREIGN, STRANGE]);
    const held = async () => {
      const routes = await routesOf(env);
      for (const foreign of [FOREIGN, STRANGE])
        demand(
          routes.some((each) => isSame(each, foreign)),
          `${foreign.destination} is gone`,
        );
    };
    await always(held, { forMs: 10_000 });
    await change(env, "remove_extraroutes", [FOREIGN, STRANGE]);
  }),
  row("O-R-03", "a route that somebody removed comes back within a period", async (env) => {
    const before = await routesOf(env);
    await change(env, "remove_extraroutes", before);
    await untilRoutes(env, (routes) => same(routes.length, before.length, "routes"));
  }),
  row(
    "O-R-04",
    "a destination that leads elsewhere is not stolen, and the Node says so",
    async (env) => {
      const server = await env.servers.create("o-r-04");
      const taken = { destination: "10.120.4.0/24", nexthop: STRANGE.nexthop };
      await change(env, "add_extraroutes", [taken]);
      await env.controller();
      await createNode(env, server.name, { podCIDRs: [taken.destination] });
      await initialised(env, server.name, LONG_MS);
      await eventually(
        () =>
          demand(
            eventsOf(env, server.name).some(({ reason }) => reason === "FailedToCreateRoute"),
            "no Event says so",
          ),
        { withinMs: LONG_MS },
      );
      const to = (await routesOf(env)).filter(
        ({ destination }) => destination === taken.destination,
      );
      same(to, [taken], "the routes to it");
      await change(env, "remove_extraroutes", [taken]);
      await untilNode(env, server.name, { check: isConnected, withinMs: LONG_MS });
      await leave(env, { metadata: { name: server.name } }, server);
    },
  ),
  row("O-R-05", "routes and address pairs go with the Node", async (env) => {
    const server = await env.servers.named("o-r-01");
    demand(server !== undefined, "the server of O-R-01 is not there");
    await env.kube.delete("/api/v1/nodes/o-r-01");
    await untilRoutes(env, (routes) => {
      const left = routes.filter(({ nexthop }) => addressesOf(server).includes(nexthop));
      same(left, [], "its routes");
    });
    same(await pairsOf(env, server), [], "its address pairs");
    await env.servers.remove(server.id);
  }),
  row(
    "O-R-06",
    "a Node and its server that go while no controller runs leave no route, and one without a mark stays",
    async (env) => {
      const server = await env.servers.create("o-r-06");
      await joined(env, server, ["10.120.6.0/24"]);
      const to = (routes: readonly ExtraRoute[]) =>
        routes.filter(({ nexthop }) => addressesOf(server).includes(nexthop));
      await untilRoutes(env, (routes) => same(to(routes).length, 1, "its routes"));
      await env.kill();
      await leave(env, { metadata: { name: server.name } }, server);
      await change(env, "add_extraroutes", [STRANGE]);
      await env.controller();
      await untilRoutes(env, (routes) => same(to(routes), [], "its routes"));
      demand(
        (await routesOf(env)).some((each) => isSame(each, STRANGE)),
        "the route of another tool is gone",
      );
      await change(env, "remove_extraroutes", [STRANGE]);
      await eventually(async () => same(await marksOn(env), [], "marks on the router"), {
        withinMs: LONG_MS,
      });
    },
  ),
];

function isConnected({ status }: Node): void {
  const condition = status.conditions?.find(({ type }) => type === "NetworkUnavailable");
  same([condition?.status, condition?.reason], ["False", "RouteCreated"], "NetworkUnavailable");
}

function isSame(left: ExtraRoute, right: ExtraRoute): boolean {
  return left.destination === right.destination && left.nexthop === right.nexthop;
}

export async function routesOf({ project }: OpenStackEnvironment): Promise<ExtraRoute[]> {
  const path = `/routers/${project.routerId}`;
  return (await project.console.network.get<{ router: { routes: ExtraRoute[] } }>(path)).router
    .routes;
}

export function untilRoutes(
  env: OpenStackEnvironment,
  check: (routes: readonly ExtraRoute[]) => void,
): Promise<void> {
  return eventually(async () => check(await routesOf(env)), { withinMs: LONG_MS });
}

export function change(
  { project }: OpenStackEnvironment,
  kind: "add_extraroutes" | "remove_extraroutes",
  routes: readonly ExtraRoute[],
): Promise<unknown> {
  const path = `/routers/${project.routerId}/${kind}`;
  return project.console.network.call("PUT", path, { router: { routes } });
}

function addressesOf({ addresses }: Server): readonly string[] {
  return Object.values(addresses).flatMap((each) => each.map(({ addr }) => addr));
}

async function pairsOf({ project }: OpenStackEnvironment, { id }: Server): Promise<string[]> {
  const { ports } = await project.console.network.get<{
    ports: { allowed_address_pairs: { ip_address: string }[] }[];
  }>(`/ports?device_id=${id}`);
  return ports
    .flatMap((port) => port.allowed_address_pairs.map(({ ip_address }) => ip_address))
    .sort();
}

/** Our tags on the router. */
export async function marksOn({ project }: OpenStackEnvironment): Promise<readonly string[]> {
  const path = `/routers/${project.routerId}`;
  const { router } = await project.console.network.get<{ router: { tags: string[] } }>(path);
  return router.tags.filter((tag) => tag.startsWith("cloudwright:"));
}

/** Where a row needs the server's IPv4 address alone. */
export function routeTo(server: Server, destination: string): ExtraRoute {
  return { destination, nexthop: addressOf(server) };
}
