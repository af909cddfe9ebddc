import { z } from "zod";

/** Fields that are missing or null count as empty; only an id is required. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);
const ids = z
  .array(z.object({ id: z.string() }))
  .nullish()
  .transform((value) => (value ?? []).map(({ id }) => id));
const id = z.string().min(1);
const number = z.number().nullish();

const state = {
  provisioning_status: text,
  operating_status: text,
};

export const loadBalancerSchema = z.object({
  id,
  name: text,
  description: text,
  provider: text,
  vip_address: text,
  vip_port_id: text,
  vip_subnet_id: text,
  vip_network_id: text,
  flavor_id: text,
  availability_zone: text,
  additional_vips: z
    .array(z.object({ ip_address: text, subnet_id: text }))
    .nullish()
    .transform((value) => value ?? []),
  tags: texts,
  listeners: ids,
  pools: ids,
  created_at: text,
  ...state,
});
export type LoadBalancer = Readonly<z.output<typeof loadBalancerSchema>>;

export const listenerSchema = z.object({
  id,
  name: text,
  protocol: text,
  protocol_port: z.number(),
  loadbalancers: ids,
  default_pool_id: text,
  connection_limit: number,
  default_tls_container_ref: text,
  insert_headers: z
    .record(z.string(), z.string())
    .nullish()
    .transform((value) => value ?? {}),
  timeout_client_data: number,
  timeout_member_connect: number,
  timeout_member_data: number,
  timeout_tcp_inspect: number,
  allowed_cidrs: texts,
  tags: texts,
  ...state,
});
export type Listener = Readonly<z.output<typeof listenerSchema>>;

export const poolSchema = z.object({
  id,
  name: text,
  protocol: text,
  lb_algorithm: text,
  session_persistence: z.object({ type: text }).nullish(),
  loadbalancers: ids,
  listeners: ids,
  healthmonitor_id: text,
  members: ids,
  ...state,
});
export type Pool = Readonly<z.output<typeof poolSchema>>;

export const memberSchema = z.object({
  id,
  name: text,
  address: text,
  protocol_port: z.number(),
  monitor_port: number,
  subnet_id: z.string().nullish(),
  ...state,
});
export type Member = Readonly<z.output<typeof memberSchema>>;

export const monitorSchema = z.object({
  id,
  name: text,
  type: text,
  delay: number,
  timeout: number,
  max_retries: number,
  max_retries_down: number,
  url_path: text,
  http_method: text,
  expected_codes: text,
  pools: ids,
  ...state,
});
export type Monitor = Readonly<z.output<typeof monitorSchema>>;

const poolStatusSchema = z.object({
  id,
  members: z
    .array(memberSchema)
    .nullish()
    .transform((value) => value ?? []),
});

/** The status tree of a load balancer: the only answer that contains the members of all its pools. */
export const statusTreeSchema = z.object({
  statuses: z.object({
    loadbalancer: z.object({
      listeners: z
        .array(z.object({ pools: z.array(poolStatusSchema).nullish() }))
        .nullish()
        .transform((value) => value ?? []),
      pools: z.array(poolStatusSchema).nullish(),
    }),
  }),
});

export const floatingIpSchema = z.object({
  id,
  floating_ip_address: text,
  floating_network_id: text,
  port_id: text,
  description: text,
  tags: texts,
  created_at: text,
});
export type FloatingIp = Readonly<z.output<typeof floatingIpSchema>>;

const securityGroupRuleSchema = z.object({
  id,
  direction: text,
  ethertype: text,
  protocol: text,
  port_range_min: number,
  port_range_max: number,
  remote_ip_prefix: text,
});

export const securityGroupSchema = z.object({
  id,
  name: text,
  description: text,
  tags: texts,
  security_group_rules: z
    .array(securityGroupRuleSchema)
    .nullish()
    .transform((value) => value ?? []),
});
export type SecurityGroup = Readonly<z.output<typeof securityGroupSchema>>;

export const portSchema = z.object({
  id,
  network_id: text,
  device_id: text,
  fixed_ips: z
    .array(z.object({ ip_address: text, subnet_id: text }))
    .nullish()
    .transform((value) => value ?? []),
  security_groups: texts,
  port_security_enabled: z.boolean().nullish(),
  revision_number: number,
});
export type Port = Readonly<z.output<typeof portSchema>>;

export const subnetSchema = z.object({
  id,
  name: text,
  cidr: text,
  ip_version: z.number().nullish(),
  network_id: text,
  tags: texts,
});
export type Subnet = Readonly<z.output<typeof subnetSchema>>;

export const networkSchema = z.object({ id, name: text });
export type Network = Readonly<z.output<typeof networkSchema>>;

/** A pool with its parts. `hasDetails`: the members were read one by one, with their monitor ports and subnets. */
export interface PoolTree extends Pool {
  readonly tree: readonly Member[];
  readonly hasDetails: boolean;
  readonly monitor: Monitor | undefined;
}

/** A load balancer with all its parts, which are not read while Octavia is working on it, as nothing may be changed then. */
export interface LoadBalancerTree extends LoadBalancer {
  readonly inside:
    | { readonly listeners: readonly Listener[]; readonly pools: readonly PoolTree[] }
    | undefined;
}

/** The project's networks, as far as this observation needs them; undefined if it did not. */
export interface ObservedNetworks {
  readonly external: readonly Network[] | undefined;
  readonly subnets: readonly Subnet[] | undefined;
  readonly ports: readonly Port[] | undefined;
}

/** What exists for one owner. */
export interface ObservedLoadBalancer {
  /** The N of Octavia's highest `v2.N`. */
  readonly minor: number;
  /** When it was observed, milliseconds since the epoch. */
  readonly at: number;
  /** The load balancers with the owner's mark. */
  readonly owned: readonly LoadBalancerTree[];
  /** Load balancers without the mark that have its name, its published addresses or the id in its annotation. */
  readonly candidates: readonly LoadBalancerTree[];
  /** The floating IPs of the load balancers above, and those that belong to the owner by mark or description. */
  readonly floatingIps: readonly FloatingIp[];
  readonly securityGroups: readonly SecurityGroup[];
  readonly networks: ObservedNetworks;
}

/** Reports whether Octavia is working on it, so that it refuses every change. */
export function isPending({ provisioning_status }: LoadBalancer): boolean {
  return provisioning_status.startsWith("PENDING_");
}

export function isBroken({ provisioning_status }: { readonly provisioning_status: string }) {
  return provisioning_status === "ERROR";
}

/** Deleted ones stay listed for a while. */
export function isGoing({ provisioning_status }: LoadBalancer): boolean {
  return provisioning_status === "PENDING_DELETE" || provisioning_status === "DELETED";
}
