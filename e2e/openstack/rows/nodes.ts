import {
  createNode,
  gone,
  hasTaint,
  initialised,
  labelsOf,
  nodeStays,
  REGION,
  SHUTDOWN_KEY,
  setReady,
  TYPE,
  untilNode,
  ZONE,
} from "../../conformance/environment/objects.ts";
import { KubeFailure, type Node } from "../../harness/kube.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type OpenStackEnvironment, type Row, row } from "../environment.ts";
import { LONG_MS } from "../patience.ts";
import { addressOf, type Server } from "../servers.ts";

/** Section 1 and 2 of spec/90, as far as a provider can influence it. */
export const nodeRows: readonly Row[] = [
  row(
    "O-N-01",
    "a Node is initialised by its server's name: ID, zone, region, type, address",
    async (env) => {
      const server = await env.servers.create("o-n-01", "zone-b");
      const node = await joined(env, server);
      same(node.spec.providerID, `openstack:///${server.id}`, "the provider ID");
      same(labelsOf(node, ZONE), ["zone-b", "zone-b"], "the zone labels");
      same(labelsOf(node, REGION), ["RegionOne", "RegionOne"], "the region labels");
      same(labelsOf(node, TYPE), ["m1.tiny", "m1.tiny"], "the type labels");
      demand(
        hasAddress(node, "InternalIP", addressOf(server)),
        `no InternalIP ${addressOf(server)}`,
      );
    },
  ),
  row(
    "O-N-02",
    "a Node whose provider ID has a region is found by it, whatever its name",
    async (env) => {
      const server = await env.servers.create("o-n-02-server");
      await env.controller();
      const providerID = `openstack://RegionOne/${server.id}`;
      await createNode(env, "o-n-02", { providerID });
      const node = await initialised(env, "o-n-02", LONG_MS);
      same(node.spec.providerID, providerID, "the provider ID");
      demand(hasAddress(node, "InternalIP", addressOf(server)), "not its server's address");
      await leave(env, node, server);
    },
  ),
  row("O-N-03", "a floating IP becomes the Node's ExternalIP, and goes with it", async (env) => {
    const node = await untilNode(env, "o-n-01", { check: () => undefined });
    const { network } = env.project.console;
    const id = serverIdOf(node);
    const { ports } = await network.get<{ ports: { id: string }[] }>(`/ports?device_id=${id}`);
    const { floatingip } = await network.call<{ floatingip: FloatingIp }>("POST", "/floatingips", {
      floatingip: { floating_network_id: env.lab.ids.public_network_id, port_id: ports[0]?.id },
    });
    const has = (present: boolean) => (seen: Node) =>
      same(
        hasAddress(seen, "ExternalIP", floatingip.floating_ip_address),
        present,
        "the ExternalIP",
      );
    await untilNode(env, "o-n-01", { check: has(true), withinMs: LONG_MS });
    await network.remove(`/floatingips/${floatingip.id}`);
    await untilNode(env, "o-n-01", { check: has(false), withinMs: LONG_MS });
  }),
  row(
    "O-N-04",
    "a silent Node whose server is stopped gets the shutdown taint until it runs again",
    async (env) => {
      const node = await untilNode(env, "o-n-01", { check: () => undefined });
      await env.servers.act(serverIdOf(node), "os-stop");
      await setReady(env, "o-n-01", "False");
      const tainted = (wanted: boolean) => (seen: Node) =>
        same(hasTaint(seen, SHUTDOWN_KEY), wanted, "the shutdown taint");
      await untilNode(env, "o-n-01", { check: tainted(true), withinMs: LONG_MS });
      await env.servers.act(serverIdOf(node), "os-start");
      await untilNode(env, "o-n-01", { check: tainted(false), withinMs: LONG_MS });
      await setReady(env, "o-n-01", "True");
    },
  ),
  row(
    "O-N-05",
    "a silent Node is kept while Nova cannot be asked, whatever it answers",
    async (env) => {
      await setReady(env, "o-n-01", "False");
      const lifts = [
        { status: 503, text: "<html>maintenance</html>" },
        { status: 404, text: "404 page not found" },
      ].map((fate) =>
        env.proxy.rule({
          fits: ({ service }) => service === "compute",
          strike: () => fate,
          times: 6,
        }),
      );
      await nodeStays(env, "o-n-01", { check: () => undefined });
      for (const lift of lifts) lift();
      await setReady(env, "o-n-01", "True");
    },
  ),
  row(
    "O-N-06",
    "a Node is removed when its server is gone and it is silent, and not before",
    async (env) => {
      const node = await untilNode(env, "o-n-01", { check: () => undefined });
      await env.servers.remove(serverIdOf(node));
      await nodeStays(env, "o-n-01", { check: () => undefined, forMs: 5_000 });
      await setReady(env, "o-n-01", "False");
      await gone(env, "o-n-01", LONG_MS);
    },
  ),
  row(
    "O-N-07",
    "a silent Node whose server does not exist yet is kept, and initialised once it does",
    async (env) => {
      await env.controller();
      await createNode(env, "o-n-07", { ready: "False" });
      await nodeStays(env, "o-n-07", { check: () => undefined, forMs: 5_000 });
      const server = await env.servers.create("o-n-07");
      const node = await initialised(env, "o-n-07", LONG_MS);
      same(node.spec.providerID, `openstack:///${server.id}`, "the provider ID");
      await leave(env, node, server);
    },
  ),
  row(
    "O-N-08",
    "of several silent Nodes whose servers all go the guard lets as many go as it is set to",
    async (env) => {
      await env.kill();
      // The window and what was deleted in it outlive a controller: what earlier rows let go must not count here.
      await env.kube.delete(CONTROLS).catch(ignoreMissing);
      await env.restart({ "--node-deletion-guard": "1,1%,10m" });
      // One stays: a project that shows no server at all may be the wrong one, and then nothing is removed.
      const [stays, ...servers] = await env.servers.createMany("o-n-08", 4);
      for (const server of [stays, ...servers].flatMap((each) => each ?? [])) {
        await joined(env, server);
      }
      await Promise.all(servers.map(({ id }) => env.servers.remove(id)));
      for (const { name } of servers) await setReady(env, name, "False");
      const left = () => servers.filter(({ name }) => env.nodes.get(name) !== undefined);
      const areTwo = () => same(left().length, 2, "how many are left");
      await eventually(areTwo, { withinMs: LONG_MS });
      await always(areTwo, { forMs: 8_000 });
      for (const { name } of left()) await env.kube.delete(`/api/v1/nodes/${name}`);
      if (stays !== undefined) {
        await env.kube.delete(`/api/v1/nodes/${stays.name}`);
        await env.servers.remove(stays.id);
      }
      await env.restart();
    },
  ),
];

const CONTROLS = "/api/v1/namespaces/kube-system/configmaps/cloudwright-controls";

function ignoreMissing(error: unknown): void {
  if (!(error instanceof KubeFailure && error.status === 404)) throw error;
}

interface FloatingIp {
  readonly id: string;
  readonly floating_ip_address: string;
}

/** An initialised Node of this server. */
export async function joined(
  env: OpenStackEnvironment,
  server: Server,
  podCIDRs: readonly string[] = [],
): Promise<Node> {
  await env.controller();
  await createNode(env, server.name, { podCIDRs });
  return initialised(env, server.name, LONG_MS);
}

/** Both leave, and wait for nobody. */
export async function leave(
  env: OpenStackEnvironment,
  { metadata }: Pick<Node, "metadata">,
  server: Pick<Server, "id">,
): Promise<void> {
  await env.kube.delete(`/api/v1/nodes/${metadata.name}`);
  await env.servers.remove(server.id);
}

function serverIdOf({ spec }: Node): string {
  return spec.providerID?.split("/").at(-1) ?? "";
}

function hasAddress({ status }: Node, type: string, address: string): boolean {
  return (status.addresses ?? []).some((each) => each.type === type && each.address === address);
}
