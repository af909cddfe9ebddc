import type { OverriddenStatus, StoredLoadBalancer } from "./load-balancer.ts";

type ReportedNode = Pick<OverriddenStatus, "hostname" | "ipMode" | "ports">;

/** A load balancer as sent to clients (spec/70, "Resources"). */
export interface LoadBalancer
  extends Pick<
      StoredLoadBalancer,
      | "id"
      | "name"
      | "state"
      | "errorMessage"
      | "requestedAddress"
      | "tags"
      | "listeners"
      | "members"
      | "sourceRanges"
      | "healthCheck"
      | "proxyProtocol"
      | "internal"
      | "affinity"
      | "families"
      | "createdAt"
    >,
    ReportedNode {
  /** "" while it is being created, without IPv4, and when it is reached by `hostname`. */
  readonly address: string;
  readonly addressV6?: string;
}

export function shownLoadBalancer(stored: StoredLoadBalancer): LoadBalancer {
  const {
    id,
    name,
    state,
    errorMessage,
    requestedAddress,
    own,
    told: overridden,
    dueAt,
    creation,
    ...rest
  } = stored;
  return {
    id,
    name,
    state,
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(state === "provisioning" ? { address: "" } : reachedAt(own, overridden ?? {})),
    ...(requestedAddress === undefined ? {} : { requestedAddress }),
    ...rest,
  };
}

function reachedAt(
  own: StoredLoadBalancer["own"],
  { address, hostname, nil, ...others }: OverriddenStatus,
): Pick<LoadBalancer, "address" | "addressV6"> & ReportedNode {
  if (nil === true) {
    return { address: "", ...others };
  }
  if (hostname !== undefined) {
    return { address: "", hostname, ...others };
  }
  return {
    address: address ?? own.v4 ?? "",
    ...(own.v6 === undefined ? {} : { addressV6: own.v6 }),
    ...others,
  };
}
