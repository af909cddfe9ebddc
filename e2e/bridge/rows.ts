import type { Node } from "../harness/kube.ts";
import { setReady } from "../harness/nodes.ts";
import { SERVICES } from "../harness/service.ts";
import { demand, eventually, same } from "../harness/wait.ts";
import {
  addressOf,
  createService,
  type Environment,
  initialised,
  register,
} from "./environment.ts";

/** What is played with a provider in our process and with one in another: both must come to the same. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** Answers what came of it, without what differs between two runs. Throws with what was seen instead. */
  play(env: Environment): Promise<unknown>;
}

export const SCENARIOS: readonly Scenario[] = [
  { id: "N-facts", title: "Nodes get their machines' IDs, labels and addresses", play: facts },
  { id: "N-unknown", title: "a Node without a machine keeps its taint", play: unknownMachine },
  {
    id: "S-made",
    title: "a Service gets a load balancer with all Nodes behind",
    play: serviceMade,
  },
  { id: "S-ports", title: "a changed port reaches the load balancer", play: portChanged },
  { id: "S-members", title: "a Node that joins is behind it", play: nodeJoined },
  { id: "R-made", title: "each Node's pod range has a route", play: routesMade },
  {
    id: "L-gone",
    title: "a Node whose machine is gone is deleted, and no other",
    play: machineGone,
  },
  { id: "R-removed", title: "the route of a Node that is gone is removed", play: routeRemoved },
  {
    id: "S-removed",
    title: "a deleted Service takes its load balancer along",
    play: serviceRemoved,
  },
];

const NODES = ["node-0", "node-1", "node-2"];
const RANGE_OF = new Map(NODES.map((name, index) => [name, `10.240.${index}.0/24`]));

async function facts(env: Environment) {
  await env.cloud.add("node-", 0, NODES.length);
  await register(env, NODES);
  await initialised(env, NODES);
  return NODES.map((name) => env.nodes.get(name)).map((node) => ({
    providerID: node?.spec.providerID,
    addresses: node?.status.addresses,
    labels: Object.fromEntries(
      Object.entries(node?.metadata.labels ?? {}).filter(([key]) =>
        /instance-type|topology/.test(key),
      ),
    ),
  }));
}

async function unknownMachine(env: Environment) {
  await register(env, ["machineless"]);
  // A Node that comes later is looked up after it.
  await env.cloud.add("node-", 3, 1);
  await register(env, ["node-3"]);
  await initialised(env, ["node-3"]);
  const node = env.nodes.get("machineless");
  await env.kube.delete("/api/v1/nodes/machineless");
  return { taints: node?.spec.taints?.length, providerID: node?.spec.providerID };
}

async function serviceMade(env: Environment) {
  const uid = await createService(env, "web");
  await eventually(() => demand(addressOf(env.services.get("web")) !== undefined, "no address"), {
    withinMs: 60_000,
    on: env.services,
  });
  return eventually(async () => {
    const loadBalancer = await env.cloud.loadBalancer(uid);
    same([...(loadBalancer?.targets ?? [])].sort(), [...NODES, "node-3"], "members");
    same(loadBalancer?.ip, addressOf(env.services.get("web")), "the address");
    return { ports: loadBalancer?.ports?.map((port) => port.replace(/\d+$/, "")) };
  });
}

async function portChanged(env: Environment) {
  const uid = env.services.get("web")?.metadata.uid ?? "";
  await env.kube.patch(`${SERVICES}/web`, "json", [
    { op: "replace", path: "/spec/ports/0/port", value: 8443 },
  ]);
  return eventually(async () => {
    const ports = (await env.cloud.loadBalancer(uid))?.ports ?? [];
    demand(ports[0]?.startsWith("TCP/8443/") === true, `ports are ${ports.join()}`);
    return ports.length;
  });
}

async function nodeJoined(env: Environment) {
  const uid = env.services.get("web")?.metadata.uid ?? "";
  await env.cloud.add("node-", 4, 1);
  await register(env, ["node-4"]);
  return eventually(async () => {
    const targets = (await env.cloud.loadBalancer(uid))?.targets ?? [];
    same([...targets].sort(), [...NODES, "node-3", "node-4"], "members");
    return targets.length;
  });
}

async function routesMade(env: Environment) {
  for (const [name, podCIDR] of RANGE_OF)
    await env.kube.patch(`/api/v1/nodes/${name}`, "merge", {
      spec: { podCIDR, podCIDRs: [podCIDR] },
    });
  const wanted = [...RANGE_OF].map(([node, cidr]) => `${cidr} ${node}`);
  return eventually(async () => {
    same(await routesOf(env), wanted, "routes");
    return wanted;
  });
}

async function machineGone(env: Environment) {
  const before = new Map(env.nodes.all().map((node) => [node.metadata.name, uidOf(node)]));
  await env.cloud.remove("node-2");
  await setReady(env.kube, "node-2", "Unknown");
  // Its machine is there.
  await setReady(env.kube, "node-1", "Unknown");
  await eventually(() => demand(env.nodes.get("node-2") === undefined, "node-2 is still there"), {
    withinMs: 60_000,
    on: env.nodes,
  });
  const kept = [...before].filter(([name, uid]) => uidOf(env.nodes.get(name)) === uid);
  await setReady(env.kube, "node-1", "True");
  return kept.map(([name]) => name).sort((a, b) => a.localeCompare(b));
}

async function routeRemoved(env: Environment) {
  return eventually(async () => {
    const routes = await routesOf(env);
    demand(!routes.some((route) => route.endsWith(" node-2")), `routes are ${routes.join()}`);
    return routes;
  });
}

async function serviceRemoved(env: Environment) {
  const uid = env.services.get("web")?.metadata.uid ?? "";
  await env.kube.delete(`${SERVICES}/web`);
  await eventually(
    () => demand(env.services.get("web") === undefined, "the Service is still there"),
    {
      withinMs: 60_000,
      on: env.services,
    },
  );
  return { left: await env.cloud.loadBalancer(uid) };
}

async function routesOf({ cloud }: Environment): Promise<readonly string[]> {
  return (await cloud.routes()).map(({ cidr, node }) => `${cidr} ${node}`).sort();
}

function uidOf(node: Node | undefined): string | undefined {
  return node?.metadata.uid;
}
