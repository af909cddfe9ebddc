import {
  type LoadBalancerCandidate,
  type LoadBalancerOwner,
  type OwnerIdentity,
  upstreamLoadBalancerName,
} from "@cloudwright/provider-api";

/** The fields of anything that can carry a mark: tags if the API has them, else the description. */
export interface Marked {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
}

/** The maximum length of names, tags and descriptions in Octavia and Neutron. */
const LONGEST = 255;

/** Returns upstream's name for an owner's load balancer, which is also ours (spec §6.2). */
export function loadBalancerName({ clusterName, namespace, name }: LoadBalancerOwner): string {
  return `kube_service_${clusterName}_${namespace}_${name}`.slice(0, LONGEST);
}

export const UPSTREAM_PREFIX = "kube_service_";

/** Returns our name, and that of upstream's older releases. */
export function namesOf(owner: LoadBalancerOwner): readonly string[] {
  return [loadBalancerName(owner), upstreamLoadBalancerName(owner)];
}

/** Reports whether a load balancer under another cluster name was this Service's, which happens if `--cluster-name` has changed. */
export function isFormerName(
  name: string,
  { namespace, name: service }: LoadBalancerOwner,
): boolean {
  return name.startsWith(UPSTREAM_PREFIX) && name.endsWith(`_${namespace}_${service}`);
}

/** Reports whether the Service only uses a load balancer that was created for something else. */
export function isGuest({ name }: Pick<Marked, "name">, owner: LoadBalancerOwner): boolean {
  return !namesOf(owner).includes(name) && !isFormerName(name, owner);
}

export function childName(kind: "listener" | "pool" | "monitor", index: number, parent: string) {
  return `${kind}_${index}_${parent}`.slice(0, LONGEST);
}

export function securityGroupName({ objectUid, namespace, name }: LoadBalancerOwner): string {
  return `lb-sg-${objectUid}-${namespace}-${name}`.slice(0, LONGEST);
}

/** Upstream's descriptions, by which users and upstream recognise the owner. */
export const DESCRIPTIONS = {
  loadBalancer: (owner: LoadBalancerOwner) => `Kubernetes external service ${whose(owner)}`,
  floatingIp: (owner: LoadBalancerOwner) =>
    `Floating IP for Kubernetes external service ${whose(owner)}`,
  securityGroup: (owner: LoadBalancerOwner) =>
    `Security Group for Service LoadBalancer ${whose(owner)}`,
} as const;

function whose({ namespace, name, clusterName }: LoadBalancerOwner): string {
  return `${namespace}/${name} from cluster ${clusterName}`;
}

/** Returns a description ending in the mark, which is never truncated: one call creates an object and records its owner. */
export function markedDescription(text: string, { clusterUid, objectUid }: OwnerIdentity): string {
  const mark = ` [cloudwright cluster=${clusterUid} service=${objectUid}]`;
  return `${text.slice(0, LONGEST - mark.length)}${mark}`;
}

const DESCRIPTION_MARK = /\[cloudwright cluster=([^\s\]]+) service=([^\s\]]+)\]/;

/** Returns the description without the mark. */
export function unmarkedDescription(description: string): string {
  return description.replace(DESCRIPTION_MARK, "").trimEnd();
}

const CLUSTER_TAG = "cloudwright:cluster=";
const SERVICE_TAG = "cloudwright:service=";
const CLASS_TAG = "cloudwright:class=";
const KEEP_TAG = "cloudwright:keep-floatingip=";
const MEMBER_SUBNET_TAG = "cloudwright:member-subnet=";

/** The owners in something's marks: a shared load balancer has several Services. */
export interface Marks {
  readonly clusterUid: string | undefined;
  readonly services: readonly { readonly uid: string; readonly service?: string }[];
}

export function marksOf({ tags, description }: Pick<Marked, "tags" | "description">): Marks {
  const [, cluster, service] = DESCRIPTION_MARK.exec(description) ?? [];
  const services = valuesOf(tags, SERVICE_TAG).map((value) => {
    const [uid = "", ...path] = value.split("/");
    return { uid, ...(path.length === 0 ? {} : { service: path.join("/") }) };
  });
  return {
    clusterUid: valuesOf(tags, CLUSTER_TAG)[0] ?? cluster,
    services: services.length > 0 || service === undefined ? services : [{ uid: service }],
  };
}

function valuesOf(tags: readonly string[], prefix: string): readonly string[] {
  return tags.filter((tag) => tag.startsWith(prefix)).map((tag) => tag.slice(prefix.length));
}

export function hasOwner(marked: Pick<Marked, "tags" | "description">, owner: OwnerIdentity) {
  const { clusterUid, services } = marksOf(marked);
  return clusterUid === owner.clusterUid && services.some(({ uid }) => uid === owner.objectUid);
}

/** Returns the class of the Service at its last sync. */
export function classOf({ tags }: Pick<Marked, "tags">, { objectUid }: OwnerIdentity) {
  return valuesOf(tags, `${CLASS_TAG}${objectUid}/`)[0];
}

/** Reports whether its floating IP has to be kept when it is deleted, as its Service last requested: known even if the Service is gone. */
export function keepsFloatingIp({ tags }: Pick<Marked, "tags">): boolean {
  return tags.includes(`${KEEP_TAG}true`);
}

/** Returns the subnet that this owner, or its class, last requested for its members: they are in it, or moving there. */
export function memberSubnetOf({ tags }: Pick<Marked, "tags">, { objectUid }: OwnerIdentity) {
  return valuesOf(tags, `${MEMBER_SUBNET_TAG}${objectUid}/`)[0];
}

/** Reports whether any of its Services requested a member subnet. */
export function hasMemberSubnet({ tags }: Pick<Marked, "tags">): boolean {
  return tags.some((tag) => tag.startsWith(MEMBER_SUBNET_TAG));
}

export interface TagOptions {
  readonly keepsFloatingIp?: boolean;
  /** "" if none is requested. */
  readonly memberSubnetId?: string;
}

/** Returns the tags with this owner's mark replaced; those of others stay, in their order. */
export function tagsFor(
  { tags }: Pick<Marked, "tags">,
  owner: LoadBalancerOwner,
  { keepsFloatingIp: keeps = false, memberSubnetId = "" }: TagOptions = {},
): readonly string[] {
  const { clusterUid, objectUid, namespace, name, loadBalancerClass } = owner;
  const ours = [
    loadBalancerName(owner),
    `${CLUSTER_TAG}${clusterUid}`,
    `${SERVICE_TAG}${objectUid}/${namespace}/${name}`,
    ...(loadBalancerClass === undefined
      ? []
      : [`${CLASS_TAG}${objectUid}/${loadBalancerClass}`.slice(0, LONGEST)]),
    ...(keeps ? [`${KEEP_TAG}true`] : []),
    ...(memberSubnetId === "" ? [] : [`${MEMBER_SUBNET_TAG}${objectUid}/${memberSubnetId}`]),
  ];
  return [...new Set([...withoutOwn(tags, owner), ...ours])];
}

/** Returns the tags without this owner's; the cluster's mark is removed with its last Service. */
export function tagsWithout(
  { tags }: Pick<Marked, "tags">,
  owner: LoadBalancerOwner,
): readonly string[] {
  const left = withoutOwn(tags, owner).filter((tag) => !namesOf(owner).includes(tag));
  const isUsed = left.some((tag) => tag.startsWith(SERVICE_TAG));
  return isUsed ? left : left.filter((tag) => !tag.startsWith(CLUSTER_TAG));
}

function withoutOwn(tags: readonly string[], { objectUid }: OwnerIdentity): readonly string[] {
  const ofService = [SERVICE_TAG, CLASS_TAG, MEMBER_SUBNET_TAG];
  const own = [...ofService.map((prefix) => `${prefix}${objectUid}`), KEEP_TAG];
  return tags.filter((tag) => !own.some((prefix) => tag.startsWith(prefix)));
}

/** Returns what identifies Services on a load balancer or a listener: the names that upstream and we put into tags. */
export function usersOf({ tags }: Pick<Marked, "tags">): readonly string[] {
  return tags.filter((tag) => tag.startsWith(UPSTREAM_PREFIX));
}

/** Describes the owner if it carries another's mark but not this owner's. */
export function foreignOwnerOf(marked: Marked, owner: OwnerIdentity): string | undefined {
  const { clusterUid, services } = marksOf(marked);
  if (clusterUid === undefined || hasOwner(marked, owner)) return undefined;
  if (clusterUid !== owner.clusterUid) return `the cluster ${clusterUid}`;
  const [first] = services;
  if (first === undefined) return "another Service of this cluster";
  return `the Service ${first.service ?? first.uid}`;
}

export function ownedBy(
  marked: Marked,
  owner: OwnerIdentity,
): Pick<LoadBalancerCandidate, "ownedBy"> {
  const foreign = foreignOwnerOf(marked, owner);
  if (foreign === undefined) return {};
  const isOfThisCluster = marksOf(marked).clusterUid === owner.clusterUid;
  return { ownedBy: { owner: foreign, isOfThisCluster } };
}

/**
 * Reports whether a floating IP or security group belongs to this owner: by its mark, or without one, by upstream's complete
 * description, which contains the cluster's name (its beginning alone would match every cluster).
 */
export function isDescribedAs(
  thing: Pick<Marked, "tags" | "description">,
  text: string,
  owner: OwnerIdentity,
): boolean {
  const { clusterUid } = marksOf(thing);
  return clusterUid === undefined
    ? thing.description === text.slice(0, LONGEST)
    : hasOwner(thing, owner);
}
