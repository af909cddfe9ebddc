import type {
  CloudChange,
  LoadBalancerNext,
  LoadBalancerNotice,
  LoadBalancerOwner,
} from "@cloudwright/provider-api";
import { readSubnetPattern } from "../config/subnet-pattern.ts";
import { ANNOTATION_PREFIX } from "./annotations.ts";
import { bodyOf, changeOf } from "./changes.ts";
import type { DesiredLoadBalancer } from "./desired.ts";
import type { Placement } from "./networks.ts";
import type {
  FloatingIp,
  LoadBalancer,
  ObservedLoadBalancer,
  ObservedNetworks,
  Subnet,
} from "./observed.ts";
import {
  DESCRIPTIONS,
  hasOwner,
  isDescribedAs,
  markedDescription,
  unmarkedDescription,
} from "./ownership.ts";

type Unsupported = Extract<LoadBalancerNext, { kind: "unsupported" }>;

export interface FloatingIpPlan {
  readonly changes: readonly CloudChange[];
  readonly notices: readonly LoadBalancerNotice[];
  /** Why it cannot have the requested one. */
  readonly refused?: Unsupported;
  /** Whether it is reached at its own address: as requested, or because there is no external network. */
  readonly isInternal: boolean;
}

interface Facts {
  readonly owner: LoadBalancerOwner;
  readonly desired: DesiredLoadBalancer;
  readonly loadBalancer: LoadBalancer;
  readonly observed: ObservedLoadBalancer;
  /** The addresses that the Service publishes now. */
  readonly published: readonly string[];
}

/** Plans the floating IP of a load balancer that the Service owns (spec §6.7); a load balancer that it only uses has none of its own. */
export function planFloatingIp(facts: Facts): FloatingIpPlan {
  const { desired, loadBalancer, observed } = facts;
  const attached = attachedTo(loadBalancer, observed.floatingIps);
  if (desired.isInternal) {
    const notices = isOnlyIPv6(desired) ? [skippedNotice(loadBalancer)] : [];
    const changes = attached === undefined ? [] : [releaseOf(attached, facts.owner, desired)];
    return { changes, notices, isInternal: true };
  }
  if (attached !== undefined) return { changes: [], notices: [], isInternal: false };
  return planMissing(facts);
}

function isOnlyIPv6({ families }: DesiredLoadBalancer): boolean {
  return families[0] === "IPv6";
}

function skippedNotice({ vip_address }: LoadBalancer): LoadBalancerNotice {
  return {
    type: "Normal",
    reason: "LoadBalancerFloatingIPSkipped",
    message: `It gets no floating IP: ${vip_address || "its address"} is IPv6 and is published as it is.`,
  };
}

export function attachedTo(
  { vip_port_id }: LoadBalancer,
  floatingIps: readonly FloatingIp[],
): FloatingIp | undefined {
  return vip_port_id === ""
    ? undefined
    : floatingIps.find(({ port_id }) => port_id === vip_port_id);
}

export function isOfOwner(floatingIp: FloatingIp, owner: LoadBalancerOwner): boolean {
  return isDescribedAs(floatingIp, DESCRIPTIONS.floatingIp(owner), owner);
}

/** Deletes the floating IP if it is ours and not to be kept; otherwise only removes it from the port, together with our mark. */
export function releaseOf(
  floatingIp: FloatingIp,
  owner: LoadBalancerOwner,
  { keepsFloatingIp }: Pick<DesiredLoadBalancer, "keepsFloatingIp">,
): CloudChange {
  const { id, floating_ip_address: address, port_id, description } = floatingIp;
  const path = `floatingips/${id}`;
  const words = { what: "floating IP", target: address || id } as const;
  if (isOfOwner(floatingIp, owner) && !keepsFloatingIp) {
    return changeOf(
      { action: "delete", ...words, before: { address, port: port_id } },
      { kind: "send", service: "network", method: "DELETE", resource: "floatingip", path },
    );
  }
  const after = { port_id: null, description: unmarkedDescription(description) };
  return changeOf(
    { action: "update", ...words, before: { port_id, description }, after },
    {
      ...{ kind: "send", service: "network", method: "PUT", resource: "floatingip", path },
      body: { floatingip: after },
    },
  );
}

function planMissing(facts: Facts): FloatingIpPlan {
  const { desired, owner, observed, published } = facts;
  const { requestedAddress } = desired;
  if (requestedAddress !== undefined) {
    const there = observed.floatingIps.find((one) => one.floating_ip_address === requestedAddress);
    if (there !== undefined) return planTaking(facts, there);
  } else {
    const free = observed.floatingIps.filter((one) => one.port_id === "" && isOfOwner(one, owner));
    const known = free.find(({ floating_ip_address }) => published.includes(floating_ip_address));
    // A description without a mark may be that of a Service with the same name in another cluster.
    const marked = free.find((one) => hasOwner(one, owner));
    const own = known ?? marked;
    if (own !== undefined) return planTaking(facts, own);
  }
  return planNew(facts);
}

/** Plans to use a free floating IP of the project. */
function planTaking({ owner, loadBalancer }: Facts, floatingIp: FloatingIp): FloatingIpPlan {
  const { id, floating_ip_address: address, port_id, description } = floatingIp;
  if (port_id !== "") {
    const problem = `the floating IP ${address} is not available: it is on the port ${port_id}`;
    const refused = { kind: "unsupported", field: "loadBalancerIP", problem } as const;
    return { changes: [], notices: [], refused, isInternal: false };
  }
  const mark = isOfOwner(floatingIp, owner)
    ? markedDescription(unmarkedDescription(description), owner)
    : undefined;
  const after = {
    port_id: loadBalancer.vip_port_id,
    ...(mark === undefined ? {} : { description: mark }),
  };
  const change = changeOf(
    { action: "update", what: "floating IP", target: address, before: { port_id: null }, after },
    {
      ...{ kind: "send", service: "network", method: "PUT", resource: "floatingip" },
      path: `floatingips/${id}`,
      body: { floatingip: after },
    },
  );
  return { changes: [change], notices: [], isInternal: false };
}

function planNew(facts: Facts): FloatingIpPlan {
  const { owner, desired, loadBalancer, observed } = facts;
  const network = floatingNetworkOf(desired.placement, observed.networks);
  if (network === undefined)
    return { changes: [], notices: forcedNotices(desired), isInternal: true };
  const subnets = subnetsOf(desired.placement, network, observed.networks);
  if ("kind" in subnets) return { changes: [], notices: [], refused: subnets, isInternal: false };
  const { requestedAddress: address } = desired;
  const fields = {
    floating_network_id: network,
    port_id: loadBalancer.vip_port_id,
    description: markedDescription(DESCRIPTIONS.floatingIp(owner), owner),
    ...(address === undefined ? {} : { floating_ip_address: address }),
  };
  const change = changeOf(
    { action: "create", what: "floating IP", target: `for ${loadBalancer.name}`, after: fields },
    { kind: "createFloatingIp", body: bodyOf(fields), subnets: [...subnets] },
  );
  return { changes: [change], notices: [], isInternal: false };
}

/** Returns the configured network, else the first external network with an IPv4 subnet. Undefined: none is wanted, or there is none. */
function floatingNetworkOf(
  { floatingNetworkId }: Placement,
  { external = [], subnets = [] }: ObservedNetworks,
): string | undefined {
  if (floatingNetworkId !== undefined) return floatingNetworkId || undefined;
  const isIPv4In = (network: string) => (one: Subnet) =>
    one.network_id === network && one.ip_version !== 6;
  return external.find(({ id }) => subnets.some(isIPv4In(id)))?.id;
}

function forcedNotices({ placement }: DesiredLoadBalancer): readonly LoadBalancerNotice[] {
  const isSearched = placement.floatingNetworkId === undefined;
  const searched: LoadBalancerNotice = {
    type: "Warning",
    reason: "LoadBalancerExternalNetworkSearchFailed",
    message:
      "No external network with an IPv4 subnet can be seen; set floating-network-id in the configuration or on the Service.",
  };
  const forced: LoadBalancerNotice = {
    type: "Warning",
    reason: "LoadBalancerForcedInternal",
    message:
      "It is internal, because there is no external network from which to take a floating IP.",
  };
  return isSearched ? [searched, forced] : [forced];
}

/** Returns the subnets to allocate an address from, in order; if empty, any. */
function subnetsOf(
  placement: Placement,
  network: string,
  { subnets = [] }: ObservedNetworks,
): readonly string[] | Unsupported {
  const { floatingSubnetId, floatingSubnet, floatingSubnetTags } = placement;
  const ofNetwork = subnets.filter(({ network_id }) => network_id === network);
  if (floatingSubnetId !== "") {
    if (ofNetwork.some(({ id }) => id === floatingSubnetId)) return [floatingSubnetId];
    const problem = `the subnet ${floatingSubnetId} is not one of the floating network ${network}`;
    return { kind: "unsupported", field: FIELD_ID, problem };
  }
  if (floatingSubnet === "" && floatingSubnetTags === "") return [];
  const isNamed = floatingSubnet === "" ? () => true : readSubnetPattern(floatingSubnet);
  if (isNamed === undefined) {
    const problem = `${floatingSubnet.slice(0, 64)} begins with ~ but is not a regular expression`;
    return { kind: "unsupported", field: FIELD_SUBNET, problem };
  }
  const matching = ofNetwork.filter(
    (one) => isNamed(one.name) && tagsMatch(one.tags, floatingSubnetTags),
  );
  if (matching.length > 0) return matching.map(({ id }) => id);
  const problem = `no subnet of the floating network ${network} has that name or those tags`;
  return { kind: "unsupported", field: FIELD_SUBNET, problem };
}

const FIELD_SUBNET = `annotation ${ANNOTATION_PREFIX}floating-subnet`;
const FIELD_ID = `annotation ${ANNOTATION_PREFIX}floating-subnet-id`;

/** Matches any of the tags; after `&`, all of them; a leading `!` negates. */
export function tagsMatch(tags: readonly string[], wanted: string): boolean {
  if (wanted === "") return true;
  const isNegated = wanted.startsWith("!");
  const positive = isNegated ? wanted.slice(1) : wanted;
  const isAll = positive.startsWith("&");
  const names = (isAll ? positive.slice(1) : positive).split(",").map((one) => one.trim());
  const has = (name: string) => tags.includes(name);
  return (isAll ? names.every(has) : names.some(has)) !== isNegated;
}
