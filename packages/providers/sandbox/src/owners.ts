import {
  type LoadBalancerCandidate,
  type LoadBalancerOwner,
  type OwnerIdentity,
  type RouteOwner,
  upstreamLoadBalancerName,
} from "@cloudwright/provider-api";

/** The tags by which we know what is ours again. */
export const TAGS = {
  cluster: "cloudwright.io/cluster",
  clusterName: "cloudwright.io/cluster-name",
  serviceUid: "cloudwright.io/service-uid",
  service: "cloudwright.io/service",
  loadBalancerClass: "cloudwright.io/load-balancer-class",
  /** On a broken load balancer that an update was to heal. */
  healing: "cloudwright.io/healing",
} as const;

interface Tagged {
  readonly tags: Readonly<Record<string, string>>;
}

/** Undefined for a tag that it does not carry. */
export function tagOf({ tags }: Tagged, tag: string): string | undefined {
  return tags[tag];
}

/** The cloud's limit of a tag's value. */
const LONGEST_VALUE = 128;

/** The tags of everything that we make for an owner. */
export function tagsOf(owner: LoadBalancerOwner): Readonly<Record<string, string>> {
  return {
    [TAGS.cluster]: owner.clusterUid,
    [TAGS.serviceUid]: owner.objectUid,
    [TAGS.service]: `${owner.namespace}/${owner.name}`.slice(0, LONGEST_VALUE),
    [TAGS.clusterName]: owner.clusterName.slice(0, LONGEST_VALUE),
    ...classTagOf(owner),
  };
}

/** A name that is cut is no class that anybody serves: such a load balancer is never taken for an orphan. */
function classTagOf({ loadBalancerClass }: LoadBalancerOwner): Readonly<Record<string, string>> {
  if (loadBalancerClass === undefined) return {};
  return { [TAGS.loadBalancerClass]: loadBalancerClass.slice(0, LONGEST_VALUE) };
}

/** What names the owner; the cluster's name is for reading, and a change of it is none of the load balancer's. */
export const IDENTIFYING_TAGS = [
  TAGS.cluster,
  TAGS.serviceUid,
  TAGS.service,
  TAGS.loadBalancerClass,
] as const;

/** Upstream's default, so that a cluster that comes from there finds its load balancers (spec/60 §4). */
export function loadBalancerName(owner: Pick<OwnerIdentity, "objectUid">): string {
  return upstreamLoadBalancerName(owner);
}

export function hasOwner(item: Tagged, owner: OwnerIdentity): boolean {
  const mark = ownerOf(item);
  return mark?.clusterUid === owner.clusterUid && mark.objectUid === owner.objectUid;
}

/** The mark that it carries; undefined when it carries none, or half of one. */
export function ownerOf(item: Tagged): OwnerIdentity | undefined {
  const clusterUid = tagOf(item, TAGS.cluster);
  const objectUid = tagOf(item, TAGS.serviceUid);
  if (clusterUid === undefined || objectUid === undefined) return undefined;
  return { clusterUid, objectUid };
}

/** Who has it, in words, when it is not this owner; undefined when it carries no owner's mark. */
export function foreignOwnerOf(item: Tagged, owner: OwnerIdentity): string | undefined {
  const cluster = tagOf(item, TAGS.cluster);
  if (cluster !== undefined && cluster !== owner.clusterUid) {
    return `the cluster ${tagOf(item, TAGS.clusterName) ?? cluster}`;
  }
  const service = tagOf(item, TAGS.service) ?? tagOf(item, TAGS.serviceUid);
  if (service !== undefined) return `the Service ${service}`;
  return cluster === undefined ? undefined : "another Service of this cluster";
}

/** Whose mark it carries when it is not this owner; nothing when it carries none. */
export function ownedBy(
  item: Tagged,
  owner: OwnerIdentity,
): Pick<LoadBalancerCandidate, "ownedBy"> {
  const foreign = foreignOwnerOf(item, owner);
  if (foreign === undefined) return {};
  const isOfThisCluster = tagOf(item, TAGS.cluster) === owner.clusterUid;
  return { ownedBy: { owner: foreign, isOfThisCluster } };
}

/** The tags of a route beside those that everything of ours has. */
export const ROUTE_TAGS = {
  nodeUid: "cloudwright.io/node-uid",
  node: "cloudwright.io/node",
} as const;

/** The tags of a route that we make for a Node; names are for reading, and cut where the cloud allows no more. */
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

/** Undefined without a cluster. One that names a cluster and no Node is that cluster's all the same. */
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
