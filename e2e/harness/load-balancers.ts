import type { Cloud } from "./cloud.ts";

/** A load balancer of the sandbox cloud, with the fields that the suites read. */
export interface LoadBalancer {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly address: string;
  readonly addressV6?: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
  readonly listeners: readonly {
    readonly name: string;
    readonly protocol: string;
    readonly port: number;
    readonly nodePort: number;
  }[];
  readonly members: readonly string[];
  readonly sourceRanges: readonly string[];
  readonly healthCheck: {
    readonly protocol: string;
    readonly port?: number;
    readonly path?: string;
  };
  readonly affinity: { readonly kind: string; readonly timeoutSeconds?: number };
  readonly families: readonly string[];
  readonly requestedAddress?: string;
  readonly createdAt: string;
}

export interface FirewallRule {
  readonly id: string;
  readonly tags: Readonly<Record<string, string | undefined>>;
}

/** Tags by which the sandbox's provider marks its load balancers. */
export const CLUSTER_TAG = "cloudwright.io/cluster";
export const CLUSTER_NAME_TAG = "cloudwright.io/cluster-name";
export const SERVICE_TAG = "cloudwright.io/service";
export const SERVICE_UID_TAG = "cloudwright.io/service-uid";

/** Lists everything in the cloud, without faults or journal. */
export async function allLoadBalancers(cloud: Cloud): Promise<readonly LoadBalancer[]> {
  const { items } = await cloud.admin<{ items: LoadBalancer[] }>("GET", "/admin/load-balancers");
  return items;
}

/** Lists those of this Service, `namespace/name`. */
export async function loadBalancersOf(
  cloud: Cloud,
  service: string,
): Promise<readonly LoadBalancer[]> {
  return (await allLoadBalancers(cloud)).filter(({ tags }) => tags[SERVICE_TAG] === service);
}

/** Edits a load balancer as a user, without delay and uncounted. */
export function editLoadBalancer(cloud: Cloud, id: string, edit: object): Promise<LoadBalancer> {
  return cloud.admin("PATCH", `/admin/load-balancers/${id}`, edit);
}

/** Deletes a load balancer as a user, without delay and uncounted. */
export function dropLoadBalancer(cloud: Cloud, id: string): Promise<unknown> {
  return cloud.admin("DELETE", `/admin/load-balancers/${id}`);
}

/** Overrides the addresses that the cloud reports for this load balancer; without `id`, for those created from now on. */
export function overrideStatus(cloud: Cloud, reported: object): Promise<unknown> {
  return cloud.admin("PUT", "/admin/next-load-balancer", reported);
}

export async function firewallRulesOf(
  cloud: Cloud,
  service: string,
): Promise<readonly FirewallRule[]> {
  const tag = encodeURIComponent(`${SERVICE_TAG}=${service}`);
  const { items } = await cloud.v1<{ items: FirewallRule[] }>(
    "GET",
    `/v1/firewall-rules?tag=${tag}`,
  );
  return items;
}
