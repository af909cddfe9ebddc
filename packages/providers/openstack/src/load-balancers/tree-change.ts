import type { LoadBalancerOwner, LoadBalancerSpec } from "@cloudwright/provider-api";
import type { SendRequest } from "./changes.ts";
import type { DesiredLoadBalancer } from "./desired.ts";
import type { LoadBalancerTree } from "./observed.ts";
import { usersOf } from "./ownership.ts";

/** One load balancer that Octavia is not at work on, and what one Service asks of it. */
export interface TreeFacts {
  readonly owner: LoadBalancerOwner;
  readonly spec: LoadBalancerSpec;
  readonly desired: DesiredLoadBalancer;
  readonly loadBalancer: LoadBalancerTree;
  readonly inside: NonNullable<LoadBalancerTree["inside"]>;
  /** Said in the configuration or on the Service, or the load balancer's own; "" for none. */
  readonly memberSubnetId: string;
  /** One member a call, as some providers need it. */
  readonly isSerial: boolean;
}

type Call = Pick<SendRequest, "method" | "resource" | "path"> &
  Partial<Pick<SendRequest, "body" | "memberIds">>;

/** A change of what several Services use asks first whether Octavia is at work on it. */
export function sendOf(loadBalancer: LoadBalancerTree, call: Call): SendRequest {
  const isShared = usersOf(loadBalancer).length > 1;
  return {
    ...{ kind: "send", service: "load-balancer" },
    ...call,
    ...(isShared ? { shared: loadBalancer.id } : {}),
  };
}
