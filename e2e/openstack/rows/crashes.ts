import { createNode } from "../../conformance/environment/objects.ts";
import {
  createService,
  deleteService,
  editSpec,
  served,
  serviceGone,
} from "../../conformance/service/objects.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { leftOf, untilBalancer } from "../balancers.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { writesAmong } from "../fault-proxy.ts";
import { addressOf } from "../servers.ts";
import { routesOf, untilRoutes } from "./routes.ts";
import { twoMembers } from "./services.ts";

const NAME = "o-c-web";
const LONG_MS = 180_000;
/** More writes than any step has. */
const MOST = 12;

/** What is done, and how it has to be in the end. `before` and `after` are no part of what is struck. */
interface Step {
  before(env: OpenStackEnvironment): Promise<unknown>;
  act(env: OpenStackEnvironment): Promise<unknown>;
  settled(env: OpenStackEnvironment): Promise<unknown>;
  after(env: OpenStackEnvironment): Promise<unknown>;
}

const PORTS = [80, 443].map((port) => ({ name: `p-${port}`, port, protocol: "TCP" }));
const nothing = async () => undefined;

const create: Step = {
  before: nothing,
  act: (env) => createService(env, NAME),
  settled: async (env) => {
    await served(env, NAME, LONG_MS);
    await untilBalancer(env, NAME, ({ listeners }) => same(listeners.length, 1, "listeners"));
  },
  after: removeService,
};

const edit: Step = {
  before: async (env) => {
    await createService(env, NAME);
    await create.settled(env);
  },
  act: (env) => editSpec(env, NAME, { ports: PORTS, loadBalancerSourceRanges: ["192.0.2.0/24"] }),
  settled: (env) =>
    untilBalancer(env, NAME, ({ listeners }) => {
      same(
        listeners.map((each) => [each.protocol_port, each.allowed_cidrs]),
        [80, 443].map((port) => [port, ["192.0.2.0/24"]]),
        "its listeners",
      );
    }),
  after: removeService,
};

const remove: Step = {
  before: edit.before,
  act: (env) => deleteService(env, NAME),
  settled: (env) => serviceGone(env, NAME, LONG_MS),
  after: nothing,
};

const routeTo: Step = {
  before: nothing,
  act: async (env) => {
    const server = await env.servers.named("o-c-r");
    await createNode(env, "o-c-r", {
      taints: [],
      providerID: `openstack:///${server?.id}`,
      podCIDRs: ["10.120.66.0/24"],
    });
  },
  settled: (env) => untilRoutes(env, (routes) => same(routesToRange(routes), 1, "routes to it")),
  after: async (env) => {
    await env.kube.delete("/api/v1/nodes/o-c-r");
    await untilRoutes(env, (routes) => same(routesToRange(routes), 0, "routes to it"));
  },
};

const removeRoute: Step = {
  before: async (env) => {
    await routeTo.act(env);
    await routeTo.settled(env);
  },
  act: (env) => env.kube.delete("/api/v1/nodes/o-c-r"),
  settled: (env) => untilRoutes(env, (routes) => same(routesToRange(routes), 0, "routes to it")),
  after: nothing,
};

/** The controller dies by kill -9 once a service has done each single write that it asks for, before it learns so. */
const rows: readonly Row[] = [
  row(
    "O-C-01",
    "killed after each write of a creation: one load balancer, and nothing is left of it",
    (env) => killedAtEach(env, create),
  ),
  row("O-C-02", "killed after each write of a change: it is carried on", (env) =>
    killedAtEach(env, edit),
  ),
  row("O-C-03", "killed after each write of a deletion: nothing is left", (env) =>
    killedAtEach(env, remove),
  ),
  row("O-C-04", "killed after each write of a route: one route", async (env) => {
    const server = (await env.servers.named("o-c-r")) ?? (await env.servers.create("o-c-r"));
    demand(addressOf(server) !== "", "no address");
    return killedAtEach(env, routeTo);
  }),
  row("O-C-05", "killed after each write of a route's removal: no route", async (env) => {
    const kills = await killedAtEach(env, removeRoute);
    same(routesToRange(await routesOf(env)), 0, "routes to it");
    return kills;
  }),
];

/** Each is as many starts of a controller as there are writes. */
export const crashRows: readonly Row[] = rows.map((each) => ({ ...each, isLong: true }));

async function killedAtEach(env: OpenStackEnvironment, step: Step): Promise<string> {
  await twoMembers(env);
  for (let nth = 1; nth <= MOST; nth++) {
    await env.controller();
    await step.before(env);
    const isKilled = await killedAt(env, step, nth);
    await step.settled(env);
    await step.after(env);
    same(await leftOf(env), [], `what is left after the kill at write ${nth}`);
    if (!isKilled) return `${nth - 1} kills`;
  }
  throw new Error(`it made more than ${MOST} writes`);
}

/** False when the step came to its end before it had made so many writes. */
async function killedAt(env: OpenStackEnvironment, step: Step, nth: number): Promise<boolean> {
  const controller = await env.controller();
  let seen = 0;
  env.proxy.onHandled((call) => {
    seen += writesAmong([call]).length;
    if (seen === nth) controller.child.kill("SIGKILL");
  });
  await step.act(env);
  const isDead = () => controller.child.killed;
  const settled = step.settled(env).catch((error: unknown) => {
    if (!isDead()) throw error;
  });
  await Promise.race([settled, eventually(() => demand(isDead(), "alive"), { withinMs: LONG_MS })]);
  env.proxy.onHandled(() => undefined);
  const wasKilled = isDead();
  if (wasKilled) {
    await env.kill();
    await env.controller();
  }
  return wasKilled;
}

async function removeService(env: OpenStackEnvironment): Promise<void> {
  await deleteService(env, NAME);
  await serviceGone(env, NAME, LONG_MS);
}

function routesToRange(routes: readonly { readonly destination: string }[]): number {
  return routes.filter(({ destination }) => destination === "10.120.66.0/24").length;
}
