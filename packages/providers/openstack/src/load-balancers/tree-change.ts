import type { LoadBalancerOwner, LoadBalancerSpec } from "@cloudwright/provider-api";
import type { SendRequest } from "./changes.ts";
import type { DesiredLoadBalancer } from "./desired.ts";
import type { LoadBalancerTree } from "./observed.ts";
import { usersOf } from "./ownership.ts";

/** A load balancer that Octavia is not working on, and what one Service needs from it. */
export interface TreeFacts {
  readonly owner: LoadBalancerOwner;
  readonly spec: LoadBalancerSpec;
  readonly desired: DesiredLoadBalancer;
  readonly loadBalancer: LoadBalancerTree;
  readonly inside: NonNullable<LoadBalancerTree["inside"]>;
  /** From the configuration or the Service, else the load balancer's own; "" for none. */
  readonly memberSubnetId: string;
  /** One member per call, as some providers require. */
  readonly isSerial: boolean;
}

type Call = Pick<SendRequest, "method" | "resource" | "path"> &
  Partial<Pick<SendRequest, "body" | "memberIds">>;

/** Returns the request of a change; for a shared load balancer, its state is checked first. */
export function sendOf(loadBalancer: LoadBalancerTree, call: Call): SendRequest {
  const isShared = usersOf(loadBalancer).length > 1;
  return {
    ...{ kind: "send", service: "load-balancer" },
    ...call,
    ...(isShared ? { shared: loadBalancer.id } : {}),
  };
}
