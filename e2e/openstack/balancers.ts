import { demand, eventually } from "../harness/wait.ts";
import type { CloudSide } from "./environment.ts";
import { LONG_MS } from "./patience.ts";

/** A load balancer with everything below it, as somebody at the console sees it. */
export interface Balancer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly vip_address: string;
  readonly vip_port_id: string;
  readonly provisioning_status: string;
  readonly listeners: readonly Listener[];
}

export interface Listener {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  readonly protocol_port: number;
  readonly allowed_cidrs: readonly string[] | null;
  readonly default_pool_id: string | null;
  readonly tags: readonly string[];
  /** Addresses of its pool's members, sorted. */
  readonly members: readonly string[];
}

export interface FloatingIp {
  readonly id: string;
  readonly floating_ip_address: string;
  readonly port_id: string | null;
  readonly description: string;
}

type Side = Pick<CloudSide, "project">;

/** All of the project. */
export async function balancersOf({ project }: Side): Promise<Balancer[]> {
  const path = "/lbaas/loadbalancers";
  const { loadbalancers } = await project.console.loadBalancer.get<{
    loadbalancers: Omit<Balancer, "listeners">[];
  }>(path);
  return Promise.all(
    loadbalancers.map(async (each) => ({
      ...each,
      listeners: await listenersOf({ project }, each.id),
    })),
  );
}

async function listenersOf({ project }: Side, id: string): Promise<Listener[]> {
  const { loadBalancer } = project.console;
  const { listeners } = await loadBalancer.get<{ listeners: Omit<Listener, "members">[] }>(
    `/lbaas/listeners?loadbalancer_id=${id}`,
  );
  const all = listeners.map(async (each) => {
    if (each.default_pool_id === null) return { ...each, members: [] };
    const { members } = await loadBalancer.get<{ members: { address: string }[] }>(
      `/lbaas/pools/${each.default_pool_id}/members`,
    );
    return { ...each, members: members.map(({ address }) => address).sort() };
  });
  return (await Promise.all(all)).sort((left, right) => left.protocol_port - right.protocol_port);
}

/** Upstream's name of a Service's load balancer, with the suite's `--cluster-name`. */
export function nameOf(service: string): string {
  return `kube_service_lab_default_${service}`;
}

/** The one of this Service. */
export async function balancerOf(env: Side, service: string): Promise<Balancer> {
  const all = (await balancersOf(env)).filter(({ name }) => name === nameOf(service));
  const [only] = all;
  demand(only !== undefined && all.length === 1, `there are ${all.length} balancers of ${service}`);
  return only;
}

export function untilBalancer(
  env: Side,
  service: string,
  check: (balancer: Balancer) => void,
): Promise<Balancer> {
  return eventually(
    async () => {
      const balancer = await balancerOf(env, service);
      check(balancer);
      const { provisioning_status: status } = balancer;
      demand(status === "ACTIVE", `the balancer of ${service} is ${status}`);
      return balancer;
    },
    { withinMs: LONG_MS },
  );
}

export async function floatingIpsOf({ project }: Side): Promise<FloatingIp[]> {
  return (await project.console.network.get<{ floatingips: FloatingIp[] }>("/floatingips"))
    .floatingips;
}

/** What of load balancers is left in the project: by kind and name, empty when nothing is. */
export async function leftOf(env: Side): Promise<readonly string[]> {
  const { network, loadBalancer } = env.project.console;
  const { pools } = await loadBalancer.get<{ pools: { name: string }[] }>("/lbaas/pools");
  const { ports } = await network.get<{ ports: { name: string; device_owner: string }[] }>(
    "/ports",
  );
  const groups = (
    await network.get<{ security_groups: { name: string }[] }>("/security-groups")
  ).security_groups.filter(({ name }) => name.startsWith("lb-sg-"));
  return [
    ...(await balancersOf(env)).map(({ name }) => `load balancer ${name}`),
    ...pools.map(({ name }) => `pool ${name}`),
    ...(await floatingIpsOf(env)).map((each) => `floating IP ${each.floating_ip_address}`),
    ...ports.filter(isVip).map(({ name }) => `port ${name}`),
    ...groups.map(({ name }) => `security group ${name}`),
  ];
}

function isVip({ name, device_owner }: { name: string; device_owner: string }): boolean {
  return device_owner === "Octavia" || name.startsWith("octavia-lb-");
}
