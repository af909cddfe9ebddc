import type { StoredBalancer, ToldStatus } from "./load-balancer.ts";

type Told = Pick<ToldStatus, "hostname" | "ipMode" | "ports">;

/** A load balancer as it travels (spec/70, "Resources"). */
export interface LoadBalancer
  extends Pick<
      StoredBalancer,
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
    Told {
  /** "" while it is being made, without IPv4, and where it is reached by `hostname`. */
  readonly address: string;
  readonly addressV6?: string;
}

export function shownBalancer(stored: StoredBalancer): LoadBalancer {
  const { id, name, state, errorMessage, requestedAddress, own, told, dueAt, creation, ...rest } =
    stored;
  return {
    id,
    name,
    state,
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(state === "provisioning" ? { address: "" } : reachedAt(own, told ?? {})),
    ...(requestedAddress === undefined ? {} : { requestedAddress }),
    ...rest,
  };
}

function reachedAt(
  own: StoredBalancer["own"],
  { address, hostname, nil, ...others }: ToldStatus,
): Pick<LoadBalancer, "address" | "addressV6"> & Told {
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
