import { createNode, initialised } from "../../conformance/environment/objects.ts";
import {
  createService,
  deleteService,
  served,
  serviceGone,
} from "../../conformance/service/objects.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { countsOf, nameOf, pathOf, type ServiceCall, writesAmong } from "../fault-proxy.ts";
import { LONG_MS } from "../patience.ts";
import { twoMembers } from "./services.ts";

const NAME = "o-k-web";
const FOUR_PORTS = [80, 81, 82, 83].map((port) => ({ name: `p-${port}`, port, protocol: "TCP" }));

/** Nova and Neutron show as many in one page. */
const PAGE_SIZE = 1_000;
/** Nodes that come while a listing is on its way share the next: DESIGN.md allows a wave of 5,000 so many. */
const MOST_LISTINGS = 10;
/** Of the wave's first Node alone, before there were others to be asked for with it. */
const LONE_READS = 2;
/** Versions of Nova and extensions of Neutron. */
const DISCOVERIES = 2;
/** Of one load balancer in Octavia: the listing of all, its listeners, its pools, and its members. */
const OCTAVIA_READS = 4;
/** Of all of them in Neutron: floating IPs and security groups. */
const NEUTRON_READS = 2;
/** Load balancers, floating IPs and security groups of the cluster. */
const INVENTORY_READS = 3;
/** With more ports than so many Neutron would be busy for half an hour. */
const MOST_ATTACHED = 50;
const PERIOD_S = 8;
const QUIET_MS = (PERIOD_S / 2) * 1_000;
/** Begins half a period after a pass, so that it ends between two passes as well: a pass that it cuts would count as another. */
const PERIODS_MS = 3 * PERIOD_S * 1_000;
/** In so long: one a period, and what a start began. */
const MOST_PASSES = 5;

/** What things cost in calls. Upstream's need: up to 3 a node, 20 to 30 a balancer a pass. */
export const callRows: readonly Row[] = [
  row(
    "O-K-01",
    "a load balancer with 4 ports: made by 2 writes, and compared again by 6 reads and no write",
    async (env) => {
      await twoMembers(env);
      await env.restart({ "--load-balancer-drift-period": `${PERIOD_S}s` });
      env.proxy.forget();
      await createService(env, NAME, { spec: { ports: FOUR_PORTS } });
      await served(env, NAME, LONG_MS);
      await untilBalancer(env, NAME, ({ listeners }) => same(listeners.length, 4, "listeners"));
      const creation = textOf(env.proxy.calls.filter(isOfLoadBalancers));
      same(writesIn(env), ["POST loadbalancers", "POST floatingips"], "the writes of its creation");
      const pass = await passOfLoadBalancers(env);
      await deleteService(env, NAME);
      await serviceGone(env, NAME, LONG_MS);
      await env.restart();
      return `creation ${creation}; a pass without change ${pass}`;
    },
  ),
  {
    ...row(
      "O-K-20",
      "20 Nodes are initialised together, and compared again, by few listings",
      (env) => together(env, 20),
    ),
    isLong: true,
  },
  {
    ...row("O-K-200", "200 Nodes cost as many calls as 20", (env) => together(env, 200)),
    isLong: true,
  },
];

/** Each pass reads what one load balancer is made of; beside it everything of the cluster is listed for what has no Service. */
async function passOfLoadBalancers(env: OpenStackEnvironment): Promise<string> {
  const isOver = () => isQuiet(env, env.proxy.calls.filter(isOfLoadBalancers));
  await eventually(() => demand(isOver(), "the creation is still looked after"), {
    withinMs: LONG_MS,
  });
  env.proxy.forget();
  await always(() => same(writesIn(env), [], "writes"), { forMs: PERIODS_MS });
  const calls = env.proxy.calls.filter(isOfLoadBalancers);
  const countOf = (name: string) => calls.filter(({ route }) => pathOf(route) === name).length;
  const passes = countOf("listeners");
  demand(passes > 0 && passes <= MOST_PASSES, `there were ${passes} passes`);
  const inventories = countOf("loadbalancers") - passes;
  demand(
    inventories <= passes + 1,
    `there were ${inventories} inventories and ${passes} passes: ${textOf(calls)}`,
  );
  const most = passes * (OCTAVIA_READS + NEUTRON_READS) + inventories * INVENTORY_READS;
  demand(calls.length <= most, `${passes} passes took ${calls.length} reads: ${textOf(calls)}`);
  return `${OCTAVIA_READS + NEUTRON_READS} reads, 0 writes (${passes} passes and ${inventories} inventories: ${textOf(calls)})`;
}

function isQuiet({ proxy }: OpenStackEnvironment, calls: readonly ServiceCall[]): boolean {
  const last = calls.at(-1);
  const isStarting = proxy.calls.some(isOfStart) && !proxy.calls.some(isLastOfStart);
  return last !== undefined && !isStarting && Date.now() - last.at > QUIET_MS;
}

/** Quotas are read one service after another, Nova's last. */
function isOfStart({ route }: ServiceCall): boolean {
  return pathOf(route).startsWith("quotas");
}

function isLastOfStart({ service, route }: ServiceCall): boolean {
  return service === "compute" && pathOf(route) === "limits";
}

async function together(env: OpenStackEnvironment, count: number): Promise<string> {
  const isDetached = count > MOST_ATTACHED;
  const servers = await env.servers.createMany(`o-k-${count}`, count, { isDetached });
  // Only what these Nodes cost is counted: nothing is compared again meanwhile, and nobody asks for routes.
  await env.restart({ ...WITHOUT_ROUTES, "--node-status-update-frequency": "10m" });
  env.proxy.forget();
  await Promise.all(servers.map(({ name }) => createNode(env, name)));
  for (const { name } of servers) await initialised(env, name, LONG_MS);
  const pages = Math.ceil((await env.servers.all()).length / PAGE_SIZE);
  const wave = readsOfNodes(env);
  const listings = listingsIn(wave, pages);
  demand(listings <= MOST_LISTINGS, `it took ${listings} listings for ${count} Nodes`);
  const most = 2 * pages * listings + LONE_READS + DISCOVERIES;
  demand(wave.length <= most, `it took ${wave.length} reads for ${count} Nodes: ${textOf(wave)}`);
  same(writesIn(env), [], "writes");
  const pass = await passOfNodes(env, pages);
  await Promise.all(servers.map(({ name }) => env.kube.delete(`/api/v1/nodes/${name}`)));
  await env.restart();
  // The servers go with the project: to wait for so many takes minutes.
  return `${wave.length} reads for all (${textOf(wave)}); a pass without change ${pass}`;
}

const WITHOUT_ROUTES = { "--configure-cloud-routes": "false" };

/** As many reads as pages of servers and of ports, whatever the number of Nodes. */
async function passOfNodes(env: OpenStackEnvironment, pages: number): Promise<string> {
  await env.restart({ ...WITHOUT_ROUTES, "--node-status-update-frequency": `${PERIOD_S}s` });
  // What a start reads is not a pass; it also compares the configuration with the cloud, and reads its quotas.
  await eventually(() => demand(isQuiet(env, readsOfNodes(env)), "the start is not over"), {
    withinMs: LONG_MS,
  });
  env.proxy.forget();
  await always(() => same(writesIn(env), [], "writes"), { forMs: PERIODS_MS });
  const calls = readsOfNodes(env);
  const passes = listingsIn(calls, pages);
  demand(passes > 0 && passes <= MOST_PASSES, `there were ${passes} passes`);
  const most = 2 * pages * passes + 1;
  demand(calls.length <= most, `${passes} passes took ${calls.length} reads: ${textOf(calls)}`);
  return `${2 * pages} reads, 0 writes (${passes} passes: ${textOf(calls)})`;
}

function listingsIn(calls: readonly ServiceCall[], pages: number): number {
  return calls.filter(({ route }) => pathOf(route) === "servers/detail").length / pages;
}

function readsOfNodes({ proxy }: OpenStackEnvironment): readonly ServiceCall[] {
  return proxy.calls.filter(
    ({ service, route }) =>
      (service === "compute" && pathOf(route) !== "limits") ||
      (service === "network" && /ports|extensions/.test(pathOf(route))),
  );
}

function isOfLoadBalancers({ service, route }: ServiceCall): boolean {
  // Quotas are read from time to time, whatever there is to do.
  if (pathOf(route).startsWith("quotas")) return false;
  return service === "load-balancer" || /^(floatingips|security-groups)/.test(pathOf(route));
}

function writesIn({ proxy }: OpenStackEnvironment): readonly string[] {
  return writesAmong(proxy.calls).map(nameOf);
}

function textOf(calls: readonly ServiceCall[]): string {
  return Object.entries(countsOf(calls))
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}
