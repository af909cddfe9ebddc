import {
  type LoadBalancerCandidate,
  type LoadBalancerOwner,
  type OwnerIdentity,
  type RouteOwner,
  upstreamLoadBalancerName,
} from "@cloudwright/provider-api";

/** The tags by which we recognise our own resources. */
export const TAGS = {
  cluster: "cloudwright.io/cluster",
  clusterName: "cloudwright.io/cluster-name",
  serviceUid: "cloudwright.io/service-uid",
  service: "cloudwright.io/service",
  loadBalancerClass: "cloudwright.io/load-balancer-class",
  /** Marks a broken load balancer that an update should heal. */
  healing: "cloudwright.io/healing",
} as const;

interface Tagged {
  readonly tags: Readonly<Record<string, string>>;
}

/** Returns undefined if it does not carry the tag. */
export function tagOf({ tags }: Tagged, tag: string): string | undefined {
  return tags[tag];
}

/** The cloud's maximum length of a tag's value. */
const LONGEST_VALUE = 128;

/** Returns the tags of everything that we create for an owner. */
export function tagsOf(owner: LoadBalancerOwner): Readonly<Record<string, string>> {
  return {
    [TAGS.cluster]: owner.clusterUid,
    [TAGS.serviceUid]: owner.objectUid,
    [TAGS.service]: `${owner.namespace}/${owner.name}`.slice(0, LONGEST_VALUE),
    [TAGS.clusterName]: owner.clusterName.slice(0, LONGEST_VALUE),
    ...classTagOf(owner),
  };
}

/** A truncated class name would match no class, so such a load balancer is never taken for an orphan. */
function classTagOf({ loadBalancerClass }: LoadBalancerOwner): Readonly<Record<string, string>> {
  if (loadBalancerClass === undefined) return {};
  return { [TAGS.loadBalancerClass]: loadBalancerClass.slice(0, LONGEST_VALUE) };
}

/** The tags that identify the owner; the cluster's name is informative, and changing it does not affect the load balancer. */
export const IDENTIFYING_TAGS = [
  TAGS.cluster,
  TAGS.serviceUid,
  TAGS.service,
  TAGS.loadBalancerClass,
] as const;

/** Returns upstream's default name, so that a cluster migrated from upstream finds its load balancers (spec/60 §4). */
export function loadBalancerName(owner: Pick<OwnerIdentity, "objectUid">): string {
  return upstreamLoadBalancerName(owner);
}

export function hasOwner(item: Tagged, owner: OwnerIdentity): boolean {
  const mark = ownerOf(item);
  return mark?.clusterUid === owner.clusterUid && mark.objectUid === owner.objectUid;
}

/** Returns the owner in its mark; undefined if it carries none, or only part of one. */
export function ownerOf(item: Tagged): OwnerIdentity | undefined {
  const clusterUid = tagOf(item, TAGS.cluster);
  const objectUid = tagOf(item, TAGS.serviceUid);
  if (clusterUid === undefined || objectUid === undefined) return undefined;
  return { clusterUid, objectUid };
}

/** Describes its owner if that is not this one; undefined if it carries no mark. */
export function foreignOwnerOf(item: Tagged, owner: OwnerIdentity): string | undefined {
  const cluster = tagOf(item, TAGS.cluster);
  if (cluster !== undefined && cluster !== owner.clusterUid) {
    return `the cluster ${tagOf(item, TAGS.clusterName) ?? cluster}`;
  }
  const service = tagOf(item, TAGS.service) ?? tagOf(item, TAGS.serviceUid);
  if (service !== undefined) return `the Service ${service}`;
  return cluster === undefined ? undefined : "another Service of this cluster";
}

/** Returns the owner in its mark if that is not this one; nothing if it carries no mark. */
export function ownedBy(
  item: Tagged,
  owner: OwnerIdentity,
): Pick<LoadBalancerCandidate, "ownedBy"> {
  const foreign = foreignOwnerOf(item, owner);
  if (foreign === undefined) return {};
  const isOfThisCluster = tagOf(item, TAGS.cluster) === owner.clusterUid;
  return { ownedBy: { owner: foreign, isOfThisCluster } };
}

/** The tags of a route in addition to those of all our resources. */
export const ROUTE_TAGS = {
  nodeUid: "cloudwright.io/node-uid",
  node: "cloudwright.io/node",
} as const;

/** Returns the tags of a route that we create for a Node; names are informative, and truncated to the cloud's limit. */
export function tagsOfRoute(mark: RouteOwner): Readonly<Record<string, string>> {
  const { clusterUid, objectUid, clusterName, node } = mark;
  return {
    [TAGS.cluster]: clusterUid,
    [ROUTE_TAGS.nodeUid]: objectUid,
    ...(node === undefined ? {} : { [ROUTE_TAGS.node]: node.slice(0, LONGEST_VALUE) }),
    ...(clusterName === undefined
      ? {}
      : { [TAGS.clusterName]: clusterName.slice(0, LONGEST_VALUE) }),
  };
}

/** Returns undefined without a cluster. A route that names a cluster but no Node still belongs to that cluster. */
export function routeOwnerOf(route: {
  readonly tags: Readonly<Record<string, string>>;
}): RouteOwner | undefined {
  const clusterUid = tagOf(route, TAGS.cluster);
  if (clusterUid === undefined) return undefined;
  const clusterName = tagOf(route, TAGS.clusterName);
  const node = tagOf(route, ROUTE_TAGS.node);
  return {
    clusterUid,
    objectUid: tagOf(route, ROUTE_TAGS.nodeUid) ?? "",
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(node === undefined ? {} : { node }),
  };
}
