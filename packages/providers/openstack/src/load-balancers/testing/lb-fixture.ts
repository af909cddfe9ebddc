import type {
  LoadBalancerOwner,
  LoadBalancerPlan,
  LoadBalancerPlanInput,
  LoadBalancerSpec,
} from "@cloudwright/provider-api";
import { readCloudConf } from "../../config/cloud-conf.ts";
import type { LoadBalancerConfig } from "../networks.ts";
import {
  type FloatingIp,
  floatingIpSchema,
  type Listener,
  type LoadBalancerTree,
  listenerSchema,
  loadBalancerSchema,
  memberSchema,
  monitorSchema,
  type ObservedLoadBalancer,
  type PoolTree,
  poolSchema,
} from "../observed.ts";
import { loadBalancerName, tagsFor } from "../ownership.ts";
import { planLoadBalancer } from "../plan/plan.ts";

export const OWNER: LoadBalancerOwner = {
  clusterUid: "11111111-1111-4111-8111-111111111111",
  objectUid: "aaaaaaaa-0000-4000-8000-000000000001",
  namespace: "shop",
  name: "web",
  clusterName: "kubernetes",
};
export const OTHER: LoadBalancerOwner = {
  ...OWNER,
  objectUid: "bbbbbbbb-0000-4000-8000-000000000002",
  name: "api",
};
export const NAME: string = loadBalancerName(OWNER);
export const NETWORK = "net-public";
/** The time of observation: 2026-01-01T01:00:00Z. */
export const AT: number = Date.UTC(2026, 0, 1, 1);

/** `[LoadBalancer]` with these lines; a subnet and a floating network are set. */
export function config(lines = "", classes = ""): LoadBalancerConfig {
  const text = `[LoadBalancer]\nsubnet-id = sub-1\nfloating-network-id = ${NETWORK}\n${lines}\n${classes}`;
  return readCloudConf(text, "cloud.conf", () => undefined);
}

export function spec(more: Partial<LoadBalancerSpec> = {}): LoadBalancerSpec {
  return {
    owner: OWNER,
    internal: false,
    listeners: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30_080 }],
    members: [
      {
        nodeName: "n1",
        providerID: "openstack:///s-1",
        addresses: [{ type: "InternalIP", address: "10.0.0.1" }],
      },
    ],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: 30_080 },
    affinity: { kind: "none" },
    families: ["IPv4"],
    annotations: {},
    ...more,
  };
}

/** Sets these annotations (without the prefix) on the Service and on its owner. */
export function annotated(annotations: Readonly<Record<string, string>>): LoadBalancerSpec {
  const full = Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [
      key.includes("/") ? key : `loadbalancer.openstack.org/${key}`,
      value,
    ]),
  );
  return spec({ annotations: full, owner: { ...OWNER, annotations: full } });
}

export interface Shape {
  readonly loadBalancer?: Readonly<Record<string, unknown>>;
  readonly listener?: Readonly<Record<string, unknown>>;
  readonly pool?: Readonly<Record<string, unknown>>;
  readonly members?: readonly Readonly<Record<string, unknown>>[];
  readonly monitor?: Readonly<Record<string, unknown>> & { readonly type?: string };
  /** Whether the members were read one by one; by default if the monitor needs it. */
  readonly hasDetails?: boolean;
}

/** The load balancer as `spec()` asks for it, except for the given parts. */
export function tree(shape: Shape = {}, owner: LoadBalancerOwner = OWNER): LoadBalancerTree {
  const name = loadBalancerName(owner);
  const loadBalancer = loadBalancerSchema.parse({
    ...{ id: "lb-1", name, provider: "amphora", provisioning_status: "ACTIVE" },
    ...{ operating_status: "ONLINE", created_at: "2026-01-01T00:00:00" },
    ...{ vip_address: "10.0.0.9", vip_port_id: "port-vip", vip_subnet_id: "sub-1" },
    tags: tagsFor({ tags: [] }, owner),
    listeners: [{ id: "li-1" }],
    ...shape.loadBalancer,
  });
  return {
    ...loadBalancer,
    inside: { listeners: [listener(name, shape)], pools: [pool(name, shape)] },
  };
}

function listener(name: string, shape: Shape): Listener {
  return listenerSchema.parse({
    ...{ id: "li-1", name: `listener_0_${name}`, protocol: "TCP", protocol_port: 80 },
    ...{ default_pool_id: "po-1", connection_limit: -1, loadbalancers: [{ id: "lb-1" }] },
    ...{ provisioning_status: "ACTIVE", tags: [name] },
    ...shape.listener,
  });
}

function pool(name: string, { pool: more, members, monitor, hasDetails }: Shape): PoolTree {
  const member = { id: "m-1", name: "n1", address: "10.0.0.1", protocol_port: 30_080 };
  return {
    ...poolSchema.parse({
      ...{ id: "po-1", name: `pool_0_${name}`, protocol: "TCP", lb_algorithm: "ROUND_ROBIN" },
      ...{ provisioning_status: "ACTIVE" },
      ...more,
    }),
    tree: (members ?? [member]).map((one, index) =>
      memberSchema.parse({ id: `m-${index}`, ...one }),
    ),
    hasDetails: hasDetails ?? monitor?.type === "HTTP",
    monitor: monitor === undefined ? undefined : monitorSchema.parse({ id: "mo-1", ...monitor }),
  };
}

export function floatingIp(more: Readonly<Record<string, unknown>> = {}): FloatingIp {
  return floatingIpSchema.parse({
    ...{ id: "fip-1", floating_ip_address: "203.0.113.5", port_id: "port-vip" },
    description: "Floating IP for Kubernetes external service shop/web from cluster kubernetes",
    ...more,
  });
}

/** A state in sync with `spec()`: one load balancer of ours with its floating IP. */
export function observed(more: Partial<ObservedLoadBalancer> = {}): ObservedLoadBalancer {
  return {
    ...{ minor: 26, at: AT, owned: [tree()], candidates: [], securityGroups: [] },
    floatingIps: [floatingIp()],
    networks: { external: undefined, subnets: undefined, ports: undefined },
    ...more,
  };
}

export const NOTHING: Partial<ObservedLoadBalancer> = { owned: [], floatingIps: [] };

export interface Planning
  extends Partial<Omit<LoadBalancerPlanInput<ObservedLoadBalancer>, "spec">> {
  readonly spec?: LoadBalancerSpec | undefined;
  readonly config?: LoadBalancerConfig;
}

/** The plan for `spec()` by default; `spec: undefined` removes. */
export function planned({ config: conf = config(), ...input }: Planning = {}): LoadBalancerPlan {
  const wanted = "spec" in input ? input.spec : spec();
  return planLoadBalancer(
    { ...conf, retryBrokenMs: 60_000 },
    {
      ...{ owner: wanted?.owner ?? OWNER, observed: observed(), published: { ingress: [] } },
      ...input,
      spec: wanted,
    },
  );
}

/** Returns the calls in order: `PUT listeners/li-1`. */
export function calls({ changes }: LoadBalancerPlan): readonly string[] {
  return changes.map(({ action, what, request }) => {
    const sent = request as { readonly method?: string; readonly path?: string };
    return sent.method === undefined ? `${action} ${what}` : `${sent.method} ${sent.path}`;
  });
}

/** Returns the body of the first change's request. */
export function firstBody({ changes }: LoadBalancerPlan): Readonly<Record<string, unknown>> {
  const { request = {} } = changes[0] ?? {};
  return (request as { readonly body?: Readonly<Record<string, unknown>> }).body ?? {};
}
