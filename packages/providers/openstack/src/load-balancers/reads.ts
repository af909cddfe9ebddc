import type { CallContext } from "@cloudwright/provider-api";
import type { z } from "zod";
import { type OpenStackClient, path, type Query } from "../api/client.ts";
import {
  type FloatingIp,
  floatingIpSchema,
  type Listener,
  type LoadBalancer,
  listenerSchema,
  loadBalancerSchema,
  type Member,
  type Monitor,
  memberSchema,
  monitorSchema,
  type Network,
  networkSchema,
  type Pool,
  type Port,
  poolSchema,
  portSchema,
  type SecurityGroup,
  type Subnet,
  securityGroupSchema,
  statusTreeSchema,
  subnetSchema,
} from "./observed.ts";

/** The reads for observing load balancers; listings are read to their last page. All throw ProviderError. */
export interface Reads {
  loadBalancers(query?: Query): Promise<readonly LoadBalancer[]>;
  listeners(loadBalancerId?: string): Promise<readonly Listener[]>;
  pools(loadBalancerId?: string): Promise<readonly Pool[]>;
  monitors(): Promise<readonly Monitor[]>;
  /** Returns the members of all pools of a load balancer, by the pool's id; without monitor ports and subnets. */
  memberStatuses(loadBalancerId: string): Promise<ReadonlyMap<string, readonly Member[]>>;
  members(poolId: string): Promise<readonly Member[]>;
  floatingIps(): Promise<readonly FloatingIp[]>;
  securityGroups(query?: Query): Promise<readonly SecurityGroup[]>;
  ports(): Promise<readonly Port[]>;
  subnets(): Promise<readonly Subnet[]>;
  externalNetworks(): Promise<readonly Network[]>;
  /** Returns the N of Octavia's highest v2.N. */
  minor(): Promise<number>;
}

export function createReads(client: OpenStackClient, context: CallContext): Reads {
  const octavia = <Schema extends z.ZodType>(listing: Listing<Schema>) =>
    list(client, { ...listing, service: "load-balancer", context });
  const neutron = <Schema extends z.ZodType>(listing: Listing<Schema>) =>
    list(client, { ...listing, service: "network", context });
  const inside = (loadBalancerId: string | undefined): Query =>
    loadBalancerId === undefined ? {} : { loadbalancer_id: loadBalancerId };
  return {
    loadBalancers: (query = {}) =>
      octavia({
        collection: "loadbalancers",
        resource: "loadbalancer",
        item: loadBalancerSchema,
        query,
      }),
    listeners: (id) =>
      octavia({
        collection: "listeners",
        resource: "listener",
        item: listenerSchema,
        query: inside(id),
      }),
    pools: (id) =>
      octavia({ collection: "pools", resource: "pool", item: poolSchema, query: inside(id) }),
    monitors: () =>
      octavia({ collection: "healthmonitors", resource: "healthmonitor", item: monitorSchema }),
    memberStatuses: (id) => memberStatuses(client, id, context),
    members: (poolId) =>
      octavia({
        ...{ collection: "members", resource: "member", item: memberSchema },
        path: path`/pools/${poolId}/members`,
      }),
    floatingIps: () =>
      neutron({ collection: "floatingips", resource: "floating_ip", item: floatingIpSchema }),
    securityGroups: (query = {}) =>
      neutron({
        ...{ collection: "security_groups", resource: "security_group", item: securityGroupSchema },
        ...{ path: "/security-groups", query },
      }),
    ports: () =>
      neutron({
        collection: "ports",
        resource: "port",
        item: portSchema,
        query: { fields: PORT_FIELDS },
      }),
    subnets: () =>
      neutron({
        collection: "subnets",
        resource: "subnet",
        item: subnetSchema,
        query: { fields: SUBNET_FIELDS },
      }),
    externalNetworks: () =>
      neutron({
        ...{ collection: "networks", resource: "network", item: networkSchema },
        query: { "router:external": true, fields: ["id", "name"] },
      }),
    minor: () => client.versions("load-balancer", context),
  };
}

const PORT_FIELDS = Object.keys(portSchema.shape);
const SUBNET_FIELDS = Object.keys(subnetSchema.shape);

interface Listing<Schema extends z.ZodType> {
  /** The field of the answer that contains the items. */
  readonly collection: string;
  /** The resource in the request's name in metrics. */
  readonly resource: string;
  readonly item: Schema;
  /** By default the collection's own. */
  readonly path?: string;
  readonly query?: Query;
}

async function list<Schema extends z.ZodType>(
  client: OpenStackClient,
  {
    collection,
    resource,
    item,
    path: below = `/${collection}`,
    query = {},
    ...call
  }: Listing<Schema> & {
    readonly service: "load-balancer" | "network";
    readonly context: CallContext;
  },
): Promise<readonly z.output<Schema>[]> {
  const { items } = await client.listAll({
    ...call,
    ...{ collection, item, query, path: below },
    ...{ operation: `${resource}_list`, target: "all" },
  });
  return items;
}

async function memberStatuses(client: OpenStackClient, id: string, context: CallContext) {
  const { value } = await client.request({
    ...{ service: "load-balancer", path: path`/loadbalancers/${id}/status` },
    ...{ operation: "loadbalancer_status_get", target: id, schema: statusTreeSchema, context },
  });
  const { listeners, pools } = value.statuses.loadbalancer;
  const all = [...(pools ?? []), ...listeners.flatMap((listener) => listener.pools ?? [])];
  return new Map(all.map((pool) => [pool.id, pool.members]));
}
