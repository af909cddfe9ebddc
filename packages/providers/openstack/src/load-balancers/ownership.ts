import {
  type LoadBalancerCandidate,
  type LoadBalancerOwner,
  type OwnerIdentity,
  upstreamLoadBalancerName,
} from "@cloudwright/provider-api";

/** What is read of anything that can carry a mark: tags where the API has them, else the description. */
export interface Marked {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
}

/** The longest name, tag and description that Octavia and Neutron take. */
const LONGEST = 255;

/** The name that upstream gives an owner's load balancer, and so do we (spec §6.2). */
export function loadBalancerName({ clusterName, namespace, name }: LoadBalancerOwner): string {
  return `kube_service_${clusterName}_${namespace}_${name}`.slice(0, LONGEST);
}

export const UPSTREAM_PREFIX = "kube_service_";

/** Ours, and the name of upstream's older releases. */
export function namesOf(owner: LoadBalancerOwner): readonly string[] {
  return [loadBalancerName(owner), upstreamLoadBalancerName(owner)];
}

/** Whether a load balancer of another cluster name was this Service's: what `--cluster-name` is changed from. */
export function isFormerName(
  name: string,
  { namespace, name: service }: LoadBalancerOwner,
): boolean {
  return name.startsWith(UPSTREAM_PREFIX) && name.endsWith(`_${namespace}_${service}`);
}

/** Whether a load balancer was made for something else than this Service, which only uses it. */
export function isGuest({ name }: Pick<Marked, "name">, owner: LoadBalancerOwner): boolean {
  return !namesOf(owner).includes(name) && !isFormerName(name, owner);
}

export function childName(kind: "listener" | "pool" | "monitor", index: number, parent: string) {
  return `${kind}_${index}_${parent}`.slice(0, LONGEST);
}

export function securityGroupName({ objectUid, namespace, name }: LoadBalancerOwner): string {
  return `lb-sg-${objectUid}-${namespace}-${name}`.slice(0, LONGEST);
}

/** Upstream's descriptions, by which users and upstream know whose a thing is. */
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

/** A description with the mark at its end, which is never cut: one call makes a thing and says whose it is. */
export function markedDescription(text: string, { clusterUid, objectUid }: OwnerIdentity): string {
  const mark = ` [cloudwright cluster=${clusterUid} service=${objectUid}]`;
  return `${text.slice(0, LONGEST - mark.length)}${mark}`;
}

const DESCRIPTION_MARK = /\[cloudwright cluster=([^\s\]]+) service=([^\s\]]+)\]/;

/** The description without a mark. */
export function unmarkedDescription(description: string): string {
  return description.replace(DESCRIPTION_MARK, "").trimEnd();
}

const CLUSTER_TAG = "cloudwright:cluster=";
const SERVICE_TAG = "cloudwright:service=";
const CLASS_TAG = "cloudwright:class=";
const KEEP_TAG = "cloudwright:keep-floatingip=";
const MEMBER_SUBNET_TAG = "cloudwright:member-subnet=";

/** Whose marks something carries: of a shared load balancer there are several Services. */
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

/** The class of the Service that it was last put in sync for. */
export function classOf({ tags }: Pick<Marked, "tags">, { objectUid }: OwnerIdentity) {
  return valuesOf(tags, `${CLASS_TAG}${objectUid}/`)[0];
}

/** Whether its floating IP is to stay when it goes, as its Service last asked: known also when the Service is gone. */
export function keepsFloatingIp({ tags }: Pick<Marked, "tags">): boolean {
  return tags.includes(`${KEEP_TAG}true`);
}

/** The subnet that this owner, or its class, last asked its members to be in: they are in it, or on their way there. */
export function memberSubnetOf({ tags }: Pick<Marked, "tags">, { objectUid }: OwnerIdentity) {
  return valuesOf(tags, `${MEMBER_SUBNET_TAG}${objectUid}/`)[0];
}

/** Whether any of its Services asked for a subnet of the members. */
export function hasMemberSubnet({ tags }: Pick<Marked, "tags">): boolean {
  return tags.some((tag) => tag.startsWith(MEMBER_SUBNET_TAG));
}

export interface TagOptions {
  readonly keepsFloatingIp?: boolean;
  /** "" where nobody asks for one. */
  readonly memberSubnetId?: string;
}

/** The tags with this owner's mark in place of what it carried of this owner; those of others stay, in their order. */
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

/** The tags without any of this owner's; the cluster's mark goes with its last Service. */
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

/** What identifies a Service on a load balancer or a listener: the names that upstream and we tag them with. */
export function usersOf({ tags }: Pick<Marked, "tags">): readonly string[] {
  return tags.filter((tag) => tag.startsWith(UPSTREAM_PREFIX));
}

/** Who has it, in words, when it carries another's mark and not this owner's. */
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
 * Whether a floating IP or security group is this owner's: by its mark; without one, by upstream's whole description, of which the
 * cluster's name is a part (its beginning alone would be every cluster's).
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
