import { setReady } from "../harness/nodes.ts";
import { SERVICES, type Service } from "../harness/service.ts";
import type { SuiteRow } from "../harness/verdicts.ts";
import { demand, eventually, same } from "../harness/wait.ts";
import { type GceEnvironment, joined } from "./environment.ts";
import type { GceState } from "./fake-cloud.ts";

/** Each goes on where the one before has ended. */
export const ROWS: readonly SuiteRow<GceEnvironment>[] = [
  {
    id: "G-01",
    title: "Nodes get their machines' IDs, zone, region, type and address",
    run: facts,
  },
  { id: "G-02", title: "each Node's pod range has a route to its machine", run: routes },
  { id: "G-03", title: "a Service gets a load balancer with all Nodes behind it", run: made },
  { id: "G-04", title: "a changed port reaches its forwarding rule", run: portChanged },
  { id: "G-05", title: "a Node that joins is behind it", run: memberJoined },
  { id: "G-06", title: "a Node whose machine is gone is deleted, with its route", run: gone },
  { id: "G-07", title: "a deleted Service leaves nothing in the cloud", run: removed },
];

const NAMES = ["gce-0", "gce-1"] as const;
const LATER = "gce-2";
const WEB = "web";

async function facts(env: GceEnvironment): Promise<string> {
  for (const [index, name] of NAMES.entries()) {
    await env.cloud.launch(name, `10.0.0.${index + 1}`);
    const node = await joined(env, name, `10.240.${index}.0/24`);
    await setReady(env.kube, name, "True");
    const { labels = {} } = node.metadata;
    demand(
      /^gce:\/\/[^/]+\/[^/]+\/gce-\d$/.test(node.spec.providerID ?? ""),
      `its provider ID is ${node.spec.providerID}`,
    );
    for (const label of ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"])
      demand(labels[label] !== undefined, `it has no label ${label}`);
    same(labels["node.kubernetes.io/instance-type"], "n1-standard-1", "its type");
    const internal = (node.status.addresses ?? []).filter(({ type }) => type === "InternalIP");
    same(
      internal.map(({ address }) => address),
      [`10.0.0.${index + 1}`],
      "its addresses",
    );
  }
  return env.nodes.get(NAMES[0])?.spec.providerID ?? "";
}

async function routes(env: GceEnvironment): Promise<void> {
  await untilRoutes(env, NAMES);
}

function untilRoutes(env: GceEnvironment, names: readonly string[]): Promise<void> {
  const wanted = names.map((name) => `10.240.${name.slice(-1)}.0/24 ${name}`);
  return untilState(env, ({ routes: found }) =>
    same(
      found.map(({ destRange, nextHopInstance: hop }) => `${destRange} ${lastOf(hop)}`).sort(),
      wanted,
      "the routes",
    ),
  );
}

async function made(env: GceEnvironment): Promise<string> {
  await env.kube.create<Service>(SERVICES, {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name: WEB } },
    spec: { type: "LoadBalancer", ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  });
  const address = await eventually(
    () => {
      const ip = env.services.get(WEB)?.status.loadBalancer?.ingress?.[0]?.ip;
      demand(ip !== undefined, "no address is published");
      return ip;
    },
    { withinMs: 60_000, on: env.services },
  );
  await untilMembers(env, NAMES);
  await untilState(env, ({ forwardingRules, firewalls }) => {
    same(
      forwardingRules.map(({ IPAddress }) => IPAddress),
      [address],
      "the forwarding rules",
    );
    demand(firewalls.length > 0, "there is no firewall rule");
  });
  return address;
}

function untilMembers(env: GceEnvironment, names: readonly string[]): Promise<void> {
  return untilState(env, ({ targetPools }) =>
    same(targetPools.flatMap(({ instances }) => instances.map(lastOf)).sort(), names, "members"),
  );
}

async function portChanged(env: GceEnvironment): Promise<void> {
  await env.kube.patch(`${SERVICES}/${WEB}`, "json", [
    { op: "replace", path: "/spec/ports/0/port", value: 8443 },
  ]);
  await untilState(env, ({ forwardingRules }) =>
    same(
      forwardingRules.map(({ portRange }) => portRange),
      ["8443-8443"],
      "its ports",
    ),
  );
}

async function memberJoined(env: GceEnvironment): Promise<void> {
  await env.cloud.launch(LATER, "10.0.0.3");
  await joined(env, LATER, "10.240.2.0/24");
  await setReady(env.kube, LATER, "True");
  await untilMembers(env, [...NAMES, LATER]);
  await untilRoutes(env, [...NAMES, LATER]);
}

async function gone(env: GceEnvironment): Promise<void> {
  await env.cloud.terminate(LATER);
  await setReady(env.kube, LATER, "Unknown");
  await eventually(() => demand(env.nodes.get(LATER) === undefined, "its Node is there"), {
    withinMs: 60_000,
    on: env.nodes,
  });
  await untilRoutes(env, NAMES);
  demand(
    NAMES.every((name) => env.nodes.get(name) !== undefined),
    "another Node is gone as well",
  );
}

async function removed(env: GceEnvironment): Promise<void> {
  await env.kube.delete(`${SERVICES}/${WEB}`);
  await eventually(() => demand(env.services.get(WEB) === undefined, "the Service is there"), {
    withinMs: 60_000,
    on: env.services,
  });
  await untilState(env, ({ forwardingRules, targetPools, firewalls }) => {
    const left = [...forwardingRules, ...targetPools, ...firewalls].map(({ name }) => name);
    same(left, [], "what is left");
  });
}

async function untilState(env: GceEnvironment, check: (state: GceState) => void): Promise<void> {
  await eventually(async () => check(await env.cloud.state()), { withinMs: 60_000 });
}

/** The name at the end of a link. */
function lastOf(link: string): string {
  return link.split("/").at(-1) ?? "";
}
