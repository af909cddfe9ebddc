import { readFileSync } from "node:fs";
import { join } from "node:path";
import { labelsOf, REGION, TYPE, ZONE } from "../../conformance/environment/objects.ts";
import type { Node } from "../../harness/kube.ts";
import { demand, same } from "../../harness/wait.ts";
import { balancersOf, floatingIpsOf, leftOf } from "../../openstack/balancers.ts";
import { type CloudSide, openCloudSide } from "../../openstack/environment.ts";
import { type Lab, openLab } from "../../openstack/lab.ts";
import type { Server, Zone } from "../../openstack/servers.ts";
import type { CloudOptions, ClusterCloud, PrepareCloud } from "./cloud.ts";

/** Nova, Neutron and Octavia as they are; its servers are those that the nodes stand for. */
export const openstack: PrepareCloud = async () => {
  const lab = await openLab();
  return {
    // The lab's external network.
    route: "203.0.113.0/24",
    open: (options) => openOpenStack(lab, options),
    close: () => lab.close(),
  };
};

const SECRET = "openstack";
/** Where the chart mounts the Secret of the cloud's config. */
const MOUNTED = "/etc/cloudwright/cloud";
const ZONES: readonly Zone[] = ["zone-a", "zone-b"];

async function openOpenStack(lab: Lab, options: CloudOptions): Promise<ClusterCloud> {
  const { status, dir, createSecret } = options;
  const side = await openCloudSide(lab, join(dir, "openstack"), {
    address: status.gateway,
    // The network of the nodes: a kubelet announces its address there, and its server has to have it.
    cidr: status.gateway.replace(/\d+$/, "0/24"),
    caFile: `${MOUNTED}/ca.pem`,
  });
  try {
    for (const [index, { name, ip }] of status.nodes.entries())
      await side.servers.create(name, ZONES[index % ZONES.length], ip);
    const files = { "cloud.conf": readFileSync(side.cloudConfig, "utf8"), "ca.pem": side.proxy.ca };
    await createSecret(SECRET, files);
    return cloudOf(side, options);
  } catch (error) {
    await side.close();
    throw error;
  }
}

function cloudOf(side: CloudSide, { status }: CloudOptions): ClusterCloud {
  const serverOf = async (name: string): Promise<Server> => {
    const server = await side.servers.named(name);
    if (server === undefined) throw new Error(`Nova has no server ${name}`);
    return server;
  };
  return {
    values: {
      cloud: { provider: "openstack", existingSecret: SECRET },
      flags: { "configure-cloud-routes": true },
    },
    demandFacts: async (node) => {
      const server = await serverOf(node.metadata.name);
      demandServer(node, server, side.lab.region);
      await demandRoute(side, node);
    },
    demandLoadBalancer: async (address, nodes) => {
      const members = status.nodes.filter(({ name }) => nodes.includes(name)).map(({ ip }) => ip);
      await demandMembers(side, address, members);
    },
    loadBalancers: () => leftOf(side),
    stop: async (name) => {
      await side.servers.act((await serverOf(name)).id, "os-stop");
    },
    remove: async (name) => side.servers.remove((await serverOf(name)).id),
    close: () => side.close(),
  };
}

/** What Nova says of the server, in the Node. */
function demandServer(node: Node, server: Server, region: string): void {
  const { name } = node.metadata;
  const zone = server["OS-EXT-AZ:availability_zone"];
  same(node.spec.providerID, `openstack:///${server.id}`, `the provider ID of ${name}`);
  same(labelsOf(node, ZONE), [zone, zone], `the zone labels of ${name}`);
  same(labelsOf(node, REGION), [region, region], `the region labels of ${name}`);
  same(labelsOf(node, TYPE), ["m1.tiny", "m1.tiny"], `the type labels of ${name}`);
}

/** The router leads the node's pod range to it, and the Node says so. */
async function demandRoute({ project }: CloudSide, node: Node): Promise<void> {
  const { name } = node.metadata;
  const path = `/routers/${project.routerId}`;
  const { router } = await project.console.network.get<{
    router: { routes: { destination: string; nexthop: string }[] };
  }>(path);
  const ip = node.status.addresses?.find(({ type }) => type === "InternalIP")?.address;
  const hops = router.routes.filter(({ destination }) => destination === node.spec.podCIDR);
  same(
    hops.map(({ nexthop }) => nexthop),
    [ip],
    `the next hops to the pods of ${name}`,
  );
  const condition = node.status.conditions?.find(({ type }) => type === "NetworkUnavailable");
  same(condition?.status, "False", `NetworkUnavailable of ${name}`);
}

/** A floating IP leads to the address of a load balancer of Octavia, whose members these are. */
async function demandMembers(
  side: CloudSide,
  address: string,
  members: readonly string[],
): Promise<void> {
  const floating = (await floatingIpsOf(side)).find((each) => each.floating_ip_address === address);
  demand(floating !== undefined, `Neutron has no floating IP ${address}`);
  const found = (await balancersOf(side)).find((each) => each.vip_port_id === floating.port_id);
  demand(found !== undefined, `the floating IP ${address} leads to no load balancer`);
  same(found.provisioning_status, "ACTIVE", `the status of ${found.name}`);
  for (const listener of found.listeners)
    same(listener.members, [...members].sort(), `the members of ${listener.name}`);
  demand(found.listeners.length > 0, `${found.name} has no listener`);
}
