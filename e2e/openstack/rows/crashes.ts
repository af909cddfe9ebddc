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
import { nameOf, type ServiceCall, writesAmong } from "../fault-proxy.ts";
import { LONG_MS } from "../patience.ts";
import { marksOn, untilRoutes } from "./routes.ts";
import { twoMembers } from "./services.ts";

const NAME = "o-c-web";
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
    const server = (await env.servers.named("o-c-r")) ?? (await env.servers.create("o-c-r"));
    await createNode(env, "o-c-r", {
      taints: [],
      providerID: `openstack:///${server.id}`,
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

/** When the controller dies by kill -9: once the service has done what it asked for, or once it has been answered. */
const MOMENTS = [
  { moment: "unanswered", first: 1, when: "each write, before it learns of it" },
  { moment: "answered", first: 11, when: "the answer to each write" },
] as const;
type Moment = (typeof MOMENTS)[number]["moment"];

const STEPS: readonly (readonly [string, Step])[] = [
  ["of a creation: one load balancer, and nothing is left of it", create],
  ["of a change: it is carried on", edit],
  ["of a deletion: nothing is left", remove],
  ["of a route: one route", routeTo],
  ["of a route's removal: no route", removeRoute],
];

/** Each is as many starts of a controller as there are writes. */
export const crashRows: readonly Row[] = MOMENTS.flatMap(({ moment, first, when }) =>
  STEPS.map(([title, step], index) => ({
    ...row(
      `O-C-${String(first + index).padStart(2, "0")}`,
      `killed after ${when} ${title}`,
      (env) => killedAtEach(env, step, moment),
    ),
    isLong: true as const,
  })),
);

async function killedAtEach(
  env: OpenStackEnvironment,
  step: Step,
  moment: Moment,
): Promise<string> {
  await twoMembers(env);
  const killedAfter: string[] = [];
  for (let nth = 1; nth <= MOST; nth++) {
    await env.controller();
    await step.before(env);
    const killed = await killedAt(env, step, { nth, moment });
    await step.settled(env);
    await step.after(env);
    same(await leftOf(env), [], `what is left after the kill at write ${nth}`);
    if (killed === undefined) {
      // The last of them goes just after its route.
      const areGone = async () => same(await marksOn(env), [], "marks on the router");
      await eventually(areGone, { withinMs: LONG_MS });
      return `${killedAfter.length} kills, after ${killedAfter.join(", ")}`;
    }
    killedAfter.push(killed);
  }
  throw new Error(`it made more than ${MOST} writes`);
}

/** The write after which it was killed; undefined when the step came to its end before it had made so many. */
async function killedAt(
  env: OpenStackEnvironment,
  step: Step,
  { nth, moment }: { readonly nth: number; readonly moment: Moment },
): Promise<string | undefined> {
  const controller = await env.controller();
  let seen = 0;
  let killed: string | undefined;
  const onWrite = (call: ServiceCall) => {
    seen += writesAmong([call]).length;
    if (seen !== nth || killed !== undefined) return;
    killed = nameOf(call);
    controller.child.kill("SIGKILL");
  };
  if (moment === "answered") env.proxy.onAnswered(onWrite);
  else env.proxy.onHandled(onWrite);
  await step.act(env);
  const settled = step.settled(env).catch((error: unknown) => {
    if (killed === undefined) throw error;
  });
  const isDead = () => demand(killed !== undefined, "alive");
  await Promise.race([settled, eventually(isDead, { withinMs: LONG_MS })]);
  env.proxy.onAnswered(() => undefined);
  env.proxy.onHandled(() => undefined);
  if (killed !== undefined) {
    await env.kill();
    await env.controller();
  }
  return killed;
}

async function removeService(env: OpenStackEnvironment): Promise<void> {
  await deleteService(env, NAME);
  await serviceGone(env, NAME, LONG_MS);
}

function routesToRange(routes: readonly { readonly destination: string }[]): number {
  return routes.filter(({ destination }) => destination === "10.120.66.0/24").length;
}
