import type { Balancer } from "../../harness/balancers.ts";
import { SERVICES, type Service } from "../../harness/service.ts";
import { demand, eventually } from "../../harness/wait.ts";
import type { Environment } from "../environment/scenario.ts";
import { createMember, createService, FINALIZER } from "../service/objects.ts";

export interface UpstreamsLeftovers {
  /** The load balancer's name, when it is not the one that upstream gives. */
  readonly name?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** Whether the Service's status publishes the load balancer's address; true unless given. */
  readonly isPublished?: boolean;
  /** Listeners on it beside the Service's. */
  readonly more?: Balancer["listeners"];
}

export interface Left {
  readonly service: Service;
  readonly balancer: Balancer;
}

/**
 * A Service with its load balancer as upstream's manager leaves them in a cloud: the finalizer, the name `a` + UID (spec/60 §4),
 * no tags, a node behind it, and the address in the Service's status. Nothing of ours has run yet.
 */
export async function leftByUpstream(
  env: Environment,
  name: string,
  { name: other, tags = {}, isPublished = true, more = [] }: UpstreamsLeftovers = {},
): Promise<Left> {
  const member = await createMember(env, `${name}-node`);
  const created = await createService(env, name, { finalizers: [FINALIZER] });
  const listeners = created.spec.ports.map(({ name: port = "", protocol = "TCP", ...numbers }) => ({
    ...{ name: port, protocol, port: numbers.port, nodePort: numbers.nodePort ?? 0 },
  }));
  const { id } = await env.cloud.v1<Balancer>("POST", "/v1/load-balancers", {
    name: other ?? upstreamNameOf(created),
    tags,
    listeners: [...listeners, ...more],
    members: [member],
    sourceRanges: ["0.0.0.0/0"],
    healthCheck: { protocol: "TCP", port: listeners[0]?.nodePort },
  });
  const balancer = await eventually(async () => {
    const now = await env.cloud.v1<Balancer>("GET", `/v1/load-balancers/${id}`);
    demand(now.state === "active", `the load balancer ${id} is ${now.state}`);
    return now;
  });
  const ingress = isPublished ? [{ ip: balancer.address }] : [];
  const service = await env.kube.patch<Service>(`${SERVICES}/${name}/status`, "merge", {
    status: { loadBalancer: { ingress } },
  });
  return { service, balancer };
}

/** What upstream's cloudprovider.DefaultLoadBalancerName gives. */
export function upstreamNameOf({ metadata: { uid = "" } }: Service): string {
  return `a${uid.replaceAll("-", "")}`.slice(0, 32);
}
