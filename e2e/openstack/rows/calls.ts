import { createNode, initialised } from "../../conformance/environment/objects.ts";
import {
  createService,
  deleteService,
  served,
  serviceGone,
} from "../../conformance/service/objects.ts";
import { always, demand, same } from "../../harness/wait.ts";
import { untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { countsOf, type ServiceCall, writesAmong } from "../fault-proxy.ts";
import { twoMembers } from "./services.ts";

const NAME = "o-k-web";
const LONG_MS = 180_000;
const FOUR_PORTS = [80, 81, 82, 83].map((port) => ({ name: `p-${port}`, port, protocol: "TCP" }));
/** Reads of a start: a login, versions, and what each controller lists once. */
const START_READS = 30;

/** What things cost in calls. Upstream's need: up to 3 a node, 20 to 30 a balancer a pass. */
export const callRows: readonly Row[] = [
  row(
    "O-K-01",
    "a load balancer with 4 ports: its creation, and a pass without change in 0 writes",
    async (env) => {
      await twoMembers(env);
      env.proxy.forget();
      await createService(env, NAME, { spec: { ports: FOUR_PORTS } });
      await served(env, NAME, LONG_MS);
      await untilBalancer(env, NAME, ({ listeners }) => same(listeners.length, 4, "listeners"));
      const creation = textOf(env.proxy.calls);
      const writes = writesAmong(env.proxy.calls).length;
      demand(writes <= 8, `its creation took ${writes} writes`);
      const pass = await startPass(env);
      await deleteService(env, NAME);
      await serviceGone(env, NAME, LONG_MS);
      return `creation ${creation}; start and pass without change ${pass}`;
    },
  ),
  {
    ...row("O-K-20", "20 Nodes are initialised together by few listings", (env) =>
      together(env, 20),
    ),
    isLong: true,
  },
  {
    ...row("O-K-200", "200 Nodes are initialised together by few listings", (env) =>
      together(env, 200),
    ),
    isLong: true,
  },
];

/** A controller that starts compares everything; it finds nothing to change. */
async function startPass(env: OpenStackEnvironment): Promise<string> {
  await env.restart();
  env.proxy.forget();
  await env.restart();
  await always(() => noWrites(env), { forMs: PASS_MS });
  const aboutIt = env.proxy.calls.filter(({ service }) => service === "load-balancer");
  demand(aboutIt.length <= START_READS, `Octavia was read ${aboutIt.length} times`);
  return textOf(env.proxy.calls);
}

const PASS_MS = 10_000;

function noWrites({ proxy }: OpenStackEnvironment): void {
  const writes = writesAmong(proxy.calls).map(({ method, route }) => `${method} ${route}`);
  same(writes, [], "writes");
}

async function together(env: OpenStackEnvironment, count: number): Promise<string> {
  await env.controller();
  const servers = await env.servers.createMany(`o-k-${count}`, count);
  env.proxy.forget();
  await Promise.all(servers.map(({ name }) => createNode(env, name)));
  for (const { name } of servers) await initialised(env, name, LONG_MS);
  const { calls } = env.proxy;
  const reads = calls.filter(({ service }) => service === "compute" || service === "network");
  const found = textOf(calls);
  same(writesAmong(calls).length, 0, "writes");
  demand(reads.length <= count, `it took ${reads.length} reads for ${count} Nodes (${found})`);
  for (const { name } of servers) await env.kube.delete(`/api/v1/nodes/${name}`);
  await Promise.all(servers.map(({ id }) => env.servers.remove(id)));
  return found;
}

function textOf(calls: readonly ServiceCall[]): string {
  return Object.entries(countsOf(calls))
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}
