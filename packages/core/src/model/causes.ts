import { BY_CONSENT_FLAG } from "./adoption.ts";
import {
  clockTime,
  controllerOf,
  evidence,
  few,
  inOneLine,
  named,
  proofWords,
  requestOf,
  routeProofWords,
  shortened,
  start,
  statusOf,
} from "./cause-text.ts";
import { formatDuration } from "./duration.ts";
import type { Reason, ReasonCode, ReasonOf } from "./reason.ts";

/** More does not fit where a cause stands: an Event, a row, a dialog (UX.md section 2). */
const LONGEST = 200;
/** What others wrote, of any length. Names and numbers are evidence and are never cut. */
const FREE_TEXTS: ReadonlySet<string> = new Set(["message", "why", "annotation"]);

/** How a point in time stands in a cause. */
export type TimeWords = (ms: number) => string;

/**
 * The cause of a state in plain words, as the middle of a sentence: no capital, no full stop. Times are UTC unless `time` words them
 * otherwise, as a page does in the zone that a person has chosen.
 */
export function causeOf(reason: Reason, time: TimeWords = clockTime): string {
  const say = (said: Reason) => CAUSES[said.code](said as never, time);
  const plain = withFreeTexts(reason, inOneLine);
  const excess = say(plain).length - LONGEST;
  return excess <= 0 ? say(plain) : say(withFreeTexts(plain, (text) => shortened(text, excess)));
}

const CAUSES: {
  readonly [Code in ReasonCode]: (reason: ReasonOf<Code>, time: TimeWords) => string;
} = {
  InstanceNotFound: (r) =>
    r.by === "name"
      ? `no instance in ${r.provider} is named ${r.value}${evidence(requestOf(r))}`
      : `no instance in ${r.provider} has the provider ID ${r.value}${evidence(requestOf(r))}`,
  InstanceUnclaimed: (r) => `${r.provider} gave no data for it and does not claim it as its own`,
  ProviderThrottled: (r) =>
    `${r.provider} allows no more calls for now${evidence(`429 on ${r.operation}`, r.retryAfterMs === undefined ? "" : `retry after ${formatDuration(r.retryAfterMs)}`, requestOf(r))}`,
  ProviderUnauthorized: (r) =>
    `${r.provider} refused our credentials on ${r.operation}${evidence(statusOf(r), requestOf(r))}`,
  ProviderUnavailable: (r) =>
    `${r.provider} failed on ${r.operation}: ${r.message}${evidence(statusOf(r), requestOf(r))}`,
  ProviderTimedOut: (r) =>
    `${r.provider} gave no answer to ${r.operation} ${r.afterMs > 0 ? `within ${formatDuration(r.afterMs)}` : "in time"}`,
  ProviderQuotaExceeded: (r) =>
    `a quota of ${r.provider} is used up: ${r.message}${evidence(statusOf(r), requestOf(r))}`,
  ProviderRefused: (r) =>
    `${r.provider} refused ${r.operation}: ${r.message}${evidence(statusOf(r), requestOf(r))}`,
  ProviderUnsupported: (r) => `${r.provider} does not offer ${r.operation}`,
  LeaseLost: (r) =>
    `${r.operation} was not sent, because this process does not hold the Lease any more`,
  NotReportedYet: (r) =>
    `it waits for its first look-up: ${controllerOf(r)} has not looked at it yet`,
  CloudListsNothing: (r) =>
    `${r.provider} lists no instance at all while ${r.nodes} nodes say they run there`,
  ProviderIDMissing: (r) => `${r.provider} gives this instance no provider ID`,
  ProviderIDMalformed: (r) =>
    `the provider ID ${r.providerID} does not have the form ${r.expected}`,
  ProviderIDDuplicate: (r) => `node ${r.other} has the same provider ID ${r.providerID}`,
  ForeignNode: (r) => `its provider ID ${r.providerID} belongs to another cloud than ${r.provider}`,
  ProvidedNodeIPInvalid: (r) =>
    `the annotation alpha.kubernetes.io/provided-node-ip is "${r.annotation}": ${r.problem}`,
  ProvidedNodeIPUnknown: (r) =>
    `the kubelet's node IP ${r.wanted} is not among the addresses that the cloud knows (${few(r.cloudHas) || "none"})`,
  AddressesMissing: (r) => `${r.provider} lists no address for this instance`,
  AddressDuplicate: (r) =>
    `the cloud lists the address ${r.type} ${r.address} twice, and the node has it once`,
  IdentityLeftAlone: (r) =>
    `${identityDifference(r)}; this controller did not set that and leaves it alone`,
  LabelInvalid: (r) =>
    `the cloud's value "${start(r.value)}" cannot be the label ${r.key}: ${r.problem}`,
  TaintOfOthers: (r) => `the taints left are not ours to remove: ${few(r.taints)}`,
  KubeForbidden: (r) => `the Kubernetes API forbids us to ${r.verb} ${r.resource}: ${r.message}`,
  KubeConflict: (r) =>
    `another client changed the object at the same time (${r.verb} ${r.resource})`,
  KubeRefused: (r) => `the Kubernetes API refused to ${r.verb} ${r.resource}: ${r.message}`,
  KubeUnavailable: (r) => `the Kubernetes API failed to ${r.verb} ${r.resource}: ${r.message}`,
  KubeThrottled: (r) => `the Kubernetes API allows no more calls for now (${r.verb} ${r.resource})`,
  NewNodeGrace: () => "the cloud does not list this new node yet, and new nodes are given time",
  InstanceAbsentOnce: (r) =>
    `${r.provider} says that ${r.providerID} does not exist${evidence(requestOf(r))}, and we look once more before we delete`,
  InstanceGone: (r) =>
    `${r.provider} said twice that ${r.providerID} does not exist${evidence(requestOf(r))}`,
  InstanceStopped: (r) =>
    `its instance is ${r.state === "pending" ? "being started" : r.state} in ${r.provider}`,
  InstanceRunning: (r) => `its instance runs again in ${r.provider}`,
  NodeReady: () => "the node is Ready",
  NodeUnreadyInstanceRuns: (r) =>
    `its kubelet is not Ready although its instance runs in ${r.provider}`,
  Initialised: () => "it was initialised from the cloud's facts",
  InStep: () => "it agrees with the cloud",
  FactsChanged: (r) => `the cloud's facts changed: ${few(r.fields)}`,
  Uninitialised: () => "it waits to be initialised",
  ObjectGone: () => "it is no longer in the cluster",
  HeldByAnnotation: (r, time) =>
    `nothing is written to it${r.untilMs === undefined ? "" : ` until ${time(r.untilMs)}`}, as ${r.by === undefined ? "its annotation cloudwright.io/hold asks" : `${r.by} asked`}${r.why === undefined ? "" : `: ${r.why}`}`,
  ServiceInvalid: (r) => `its ${r.field} "${start(r.value)}" cannot be used: ${r.problem}`,
  ServiceUnsupported: (r) => `${r.provider} cannot serve its ${r.field}: ${r.problem}`,
  ServiceUnwanted: (r) => UNWANTED[r.why],
  ServedElsewhere: (r) => `${r.provider} leaves this Service to another controller`,
  FinalizerMissing: (r) =>
    r.isWithoutClass === true
      ? "its finalizer does not say under which load balancer class it is served"
      : "the finalizer that keeps it until its balancer is gone is not there",
  BalancerMissing: (r) => `${r.provider} has no load balancer for it`,
  BalancerDiffers: (r) => `its load balancer is not as it should be: ${few(r.aspects)}`,
  BalancerReensured: (r) => `${r.by} asked to write all of its load balancer again: ${r.why}`,
  MembersDiffer: (r) =>
    `the nodes behind its load balancer changed (${[named("new", r.added), named("gone", r.removed)].filter((text) => text !== "").join("; ")})`,
  BalancerProvisioning: (r) => `${r.provider} is at work on ${r.id}: ${r.what}`,
  BalancerInStep: (r) =>
    `its load balancer${r.address === undefined ? "" : ` ${r.address}`} is as it should be, with ${r.members === 1 ? "1 node" : `${r.members} nodes`}`,
  BalancerWithoutMembers: () => "no node is available for its load balancer",
  BalancerMemberRefused: (r) =>
    `the cloud refuses node ${r.node} behind its load balancer${r.others === 0 ? "" : ` and ${r.others} more`}: ${r.message}`,
  BalancerMemberGone: (r) =>
    `node ${r.node}${r.others === 0 ? "" : ` and ${r.others} more`} cannot be behind its load balancer, because the machine does not exist in ${r.provider}`,
  BalancerAddressMissing: (r) => `${r.provider} gives its load balancer no address`,
  BalancerAddressChanged: (r) =>
    r.from === ""
      ? `its load balancer has the address ${r.to}`
      : `its load balancer moved from ${r.from} to ${r.to || "no address"}`,
  BalancerForeign: (r) => `the load balancer ${r.id} in ${r.provider} belongs to ${r.owner}`,
  BalancerUnowned: (r) =>
    `the load balancer ${r.id} named ${r.name} in ${r.provider} has no owner${proofWords(r.proofs)}${r.others === undefined ? "" : `; on it is what the Service does not ask for: ${few(r.others)}`}`,
  BalancerAdopted: (r) =>
    r.isByConsent === true
      ? `the load balancer ${r.id} named ${r.name} in ${r.provider} is adopted, ${BY_CONSENT_FLAG}`
      : `the load balancer ${r.id} in ${r.provider} is the Service's own: it has the name ${r.name}, which the earlier manager gave it, and the published address ${r.address}`,
  BalancerStands: (r) =>
    `the load balancer ${r.id} named ${r.name} still stands in ${r.provider}${r.proofs.includes("address") ? ", at the address that the Service publishes," : ""} and ${r.owner === undefined ? `has no owner${proofWords(r.proofs)}` : `belongs to ${r.owner}`}, so that the Service keeps its finalizer`,
  BalancerBroken: (r) => `${r.provider} calls the load balancer ${r.id} broken: ${r.message}`,
  BalancerOrphaned: (r, time) =>
    `the load balancer ${r.id} in ${r.provider} is ours, but its Service ${r.service} is not in the cluster${r.untilMs === undefined ? "" : `; it is removed at ${time(r.untilMs)}`}`,
  PersonAsked: (r) => `${r.by} asked for it: ${r.why}`,
  HoldExpired: (r, time) =>
    `the hold${r.by === undefined ? "" : ` by ${r.by}`} was set to end at ${time(r.untilMs)}`,
  FreedUnfinished: (r, time) =>
    `${r.by} freed it before it was initialised, until ${time(r.untilMs)}: ${r.why}`,
  OverrideExpired: (r, time) =>
    `it was freed by ${r.by} until ${time(r.untilMs)} and is still not initialised`,
  NothingToDo: (r) => r.what,
  WishRefused: (r) => r.problem,
  RouteInStep: (r) =>
    r.routes === 1 ? "its route is in sync" : `its ${r.routes} routes are in sync`,
  RouteMissing: (r) => `there is no route to its pod range ${r.cidr}`,
  NodeAddressesMissing: () => "the node has no address yet to which a route could lead",
  RouteWithoutMachine: (r) =>
    `it has no route because its machine ${r.providerID} does not exist in ${r.provider}${evidence(requestOf(r))}`,
  RouteStale: (r) => `the route to ${r.destination} ${STALE_ROUTE[r.why]}`,
  RouteForeign: (r) =>
    `the route ${r.id} in ${r.provider} already leads to ${r.cidr} and belongs to ${r.owner}`,
  RouteUnowned: (r) =>
    `the route ${r.id} to ${r.cidr} in ${r.provider} has no owner: it ${routeProofWords(r.proofs)}`,
  RouteTableFull: (r) =>
    `${r.provider} has no room for a route to ${r.cidr}: ${r.message}${evidence(requestOf(r))}`,
  RouteTableSeen: (r) =>
    `it holds ${r.used}${r.capacity === undefined ? "" : ` of at most ${r.capacity}`} routes, ${r.foreign} of them not ours`,
  RouteDeletionsUnconfirmed: (r) =>
    `${r.routes} of our ${r.of} routes look stale at once, and one listing alone is not believed`,
  NetworkConditionDiffers: (r) =>
    `its condition NetworkUnavailable is ${r.has}, and should be ${r.wanted}`,
  PodCIDRsMissing: () => "it has no pod range",
  PodCIDRsInStep: (r) =>
    `it has the pod ${r.cidrs.length === 1 ? "range" : "ranges"} ${few(r.cidrs)}`,
  PodCIDRsFixed: (r) =>
    `it has ${few(r.cidrs)} already, and the pod ranges of a node cannot be changed`,
  NodeLeaving: () => "it is being deleted",
  PodCIDRInvalid: (r) => `its pod range ${start(r.cidr)} is not usable: ${r.problem}`,
  PodCIDRDuplicate: (r) => `its pod range ${r.cidr} is the node ${r.other}'s, too`,
  PodCIDROverlap: (r) =>
    `its pod range ${r.cidr} overlaps ${r.otherCIDR}, which is the older node ${r.other}'s`,
  PodCIDROutside: (r) => `its pod range ${r.cidr} is not within ${few(r.ranges)}`,
  PodCIDRsExhausted: (r) =>
    `all ${r.capacity} pod ranges of ${r.range} are given to nodes, or kept out of use`,
  VolumeInStep: (r) => `it says where its disk ${r.id} is`,
  VolumeLabelsDiffer: (r) => `it does not say where its disk is: ${few(r.labels)}`,
  VolumeNotFound: (r) => `${r.provider} has no disk ${r.id}${evidence(requestOf(r))}`,
  VolumeZoneInvalid: (r) =>
    `the zone ${start(r.value)} of its disk ${r.id} is not usable: ${r.problem}`,
  VolumeNotOurs: (r) =>
    r.why === "source" ? "it is no disk of this cloud" : "its disk was not made when it was",
  VolumeWithoutTopology: (r) => `its disk ${r.id} is in no zone and no region`,
  VolumeAffinityKept: (r) =>
    `its node affinity says nothing of ${r.wanted}, where its disk is, and the affinity of a volume cannot be changed`,
  VolumeFileSystemPending: (r) =>
    `its disk ${r.id} has ${r.sizeGiB} GiB, and its file system grows when a pod uses it`,
  VolumeAffinityConflict: (r) =>
    `its node affinity says ${r.has} and its disk is in ${r.wanted}, and the affinity of a volume cannot be changed`,
  VolumeTooSmall: (r) =>
    `its claim asks for ${r.wantedGiB} GiB and its disk ${r.id} has ${r.hasGiB} GiB`,
  ClaimNotExpandable: (r) => `the claim ${r.claim} asks for more, and ${r.problem}`,
  ControllerPaused: (r, time) =>
    `its controller is paused by ${r.by} until ${time(r.untilMs)}: ${r.why}`,
  DeletionGuardHeld: (r) =>
    `the deletion guard holds ${r.held === 1 ? "this deletion" : `${r.held} deletions`}: ${r.provider} says that ${r.providerID} does not exist, and ${r.deleted} of at most ${r.limit} nodes were deleted within ${formatDuration(r.windowMs)}`,
  ControlRecordUnavailable: (r) =>
    `the ConfigMap cloudwright-controls cannot be used: ${r.message}`,
  RunInterrupted: () => "the controller ended during this run",
  Unexplained: (r) => `cause unknown; the last error was: ${r.message}`,
};

const STALE_ROUTE: Record<ReasonOf<"RouteStale">["why"], string> = {
  nodeGone: "belongs to a node that is gone",
  notAsked: "is asked for by no node",
  otherTarget: "leads to another machine than its node's",
  otherAddresses: "leads to addresses that its node does not have any more",
  blackhole: "leads to a machine that is gone",
};

const UNWANTED: Record<ReasonOf<"ServiceUnwanted">["why"], string> = {
  deleted: "it is being deleted",
  type: "it is not of type LoadBalancer any more",
  class: "its load balancer class is another controller's",
};

function identityDifference({ lacksProviderID, labels }: ReasonOf<"IdentityLeftAlone">): string {
  const is = labels.length === 1 ? "label is" : "labels are";
  const differing = labels.length === 0 ? "" : `its ${is} not what the cloud says (${few(labels)})`;
  if (!lacksProviderID) return differing;
  return differing === "" ? "it has no provider ID" : `it has no provider ID and ${differing}`;
}

function withFreeTexts(reason: Reason, change: (text: string) => string): Reason {
  const fields = Object.entries(reason).map(([name, value]) =>
    FREE_TEXTS.has(name) && typeof value === "string" ? [name, change(value)] : [name, value],
  );
  return Object.fromEntries(fields);
}
