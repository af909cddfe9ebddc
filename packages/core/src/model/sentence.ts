import { causeOf, type TimeWords } from "./causes.ts";
import { formatDuration } from "./duration.ts";
import type { ObjectRef } from "./object-ref.ts";
import { objectName } from "./object-ref.ts";
import type { Reason, ReasonCode, ReasonOf } from "./reason.ts";
import type { State } from "./state.ts";

export interface Diagnosis {
  readonly object: ObjectRef;
  readonly state: State;
  readonly reason: Reason;
  /** When the object entered this state, milliseconds since the epoch. */
  readonly sinceMs?: number | undefined;
  /** When it is looked at again by itself, milliseconds since the epoch. */
  readonly nextAtMs?: number | undefined;
  readonly nowMs: number;
  /** How a point in time is worded; in UTC unless given. */
  readonly time?: TimeWords;
}

/**
 * The whole diagnosis in UX.md section 2's order: thing, state, since; cause with evidence; what happens next; what
 * to do. Page, CLI and export print this; nobody else writes such sentences. The cause stands in it letter by letter as
 * Events and lists show it, so that one can be found by the other.
 */
export function sentence(diagnosis: Diagnosis): string {
  const parts = [
    `${thing(diagnosis.object)} ${stateWords(diagnosis)}: ${cause(diagnosis.reason, diagnosis.time)}.`,
    nextStep(diagnosis),
    advice(diagnosis.reason),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** The first sentence alone: what the Why column of a list shows. No full stop. */
export function cause(reason: Reason, time?: TimeWords): string {
  return capitalise(causeOf(reason, time));
}

/** What a person can do about it, as a sentence, or "" where nothing is needed. */
export function advice(reason: Reason): string {
  const text = ADVICE[reason.code];
  return typeof text === "function" ? text(reason as never) : text;
}

/** What an Event's message and a log line carry: cause and advice, without times that would defeat aggregation. */
export function eventMessage(reason: Reason): string {
  const remedy = advice(reason);
  return remedy === "" ? `${cause(reason)}.` : `${cause(reason)}. ${remedy}`;
}

const ADVICE: { readonly [Code in ReasonCode]: string | ((reason: ReasonOf<Code>) => string) } = {
  InstanceNotFound: (r) =>
    r.by === "name"
      ? "Check that the node's name equals its instance's name, or set its provider ID."
      : "Check that the provider ID is right and that we look in the right project and region.",
  InstanceUnclaimed: "We ask again when the node changes, or press Retry node.",
  ProviderThrottled: "It resumes by itself.",
  ProviderUnauthorized: "Check the credentials and their permissions in the cloud config.",
  ProviderUnavailable: "Look at the cloud's status; it is tried again by itself.",
  ProviderTimedOut:
    "Look at the cloud's status and the network to it; it is tried again by itself.",
  ProviderQuotaExceeded: "Free something or ask the cloud for a higher limit.",
  ProviderRefused: "Read the cloud's message; it is tried again by itself.",
  ProviderUnsupported: "Use a provider that offers it, or turn this controller off.",
  LeaseLost: "The next leader carries on; nothing needs to be done here.",
  NotReportedYet: "",
  CloudListsNothing:
    "Nothing is deleted on such an answer. Check that credentials and project are the right ones.",
  ProviderIDMissing: "Set the node's provider ID, or let the cloud report one.",
  ProviderIDMalformed:
    "Register the node anew with a correct provider ID; the field cannot be changed.",
  ProviderIDDuplicate: "Delete the node that is the stale one.",
  ForeignNode: "It is left alone; nothing needs to be done here.",
  ProvidedNodeIPInvalid:
    "Correct the kubelet's --node-ip; one IP, or one IPv4 and one IPv6 joined by a comma.",
  ProvidedNodeIPUnknown: "Correct the kubelet's --node-ip, or give the instance that address.",
  AddressesMissing: "Give the instance an address; the node keeps those that it has.",
  AddressDuplicate: "Remove one of the two in the cloud.",
  IdentityLeftAlone:
    "Set the taint node.cloudprovider.kubernetes.io/uninitialized on the node to have it initialised.",
  LabelInvalid:
    "Correct it in the cloud; label values are letters, digits, '-', '_' and '.', at most 63.",
  TaintOfOthers: "Ask the component that set them.",
  KubeForbidden: "Grant the verb to the controller's identity.",
  KubeConflict: "It is tried again by itself.",
  KubeRefused:
    "Read the message: an admission policy, webhook or validation refuses it; it is tried again by itself.",
  KubeUnavailable: "It is tried again by itself.",
  KubeThrottled: "It resumes by itself.",
  NewNodeGrace: "It is initialised as soon as the cloud lists it.",
  InstanceAbsentOnce: "Hold the node if its machine is coming back.",
  InstanceGone: "",
  InstanceStopped: (r) =>
    r.state === "pending" ? "" : "Start the instance, or delete it if it is not needed.",
  InstanceRunning: "",
  NodeReady: "",
  NodeUnreadyInstanceRuns: "Look at the kubelet and the network of that machine.",
  Initialised: "",
  InStep: "",
  FactsChanged: "",
  Uninitialised: "",
  ObjectGone: "",
  HeldByAnnotation: "Release it when the reason is past.",
  ServiceInvalid: "Correct it in the Service; nothing else of it is touched meanwhile.",
  ServiceUnsupported: "Change the Service, or use a provider that offers it.",
  ServiceUnwanted: "",
  ServedElsewhere: "",
  FinalizerMissing: "",
  BalancerMissing: "",
  BalancerDiffers: "",
  BalancerReensured: "",
  MembersDiffer: "",
  BalancerProvisioning: "It goes on by itself.",
  BalancerInStep: "",
  BalancerWithoutMembers:
    "Add a node, or remove the exclude label or the autoscaler's taint from one.",
  BalancerMemberRefused: "The others serve; correct that node's provider ID or its instance.",
  BalancerMemberGone:
    "The others serve; it follows from the missing machine, and ends with its node.",
  BalancerAddressMissing: "Look at it in the cloud; it is tried again by itself.",
  BalancerAddressChanged: "",
  BalancerForeign: "Rename or remove that balancer in the cloud, or find the other owner.",
  BalancerUnowned: (r) =>
    r.others === undefined
      ? "Adopt it on its page or with cloudwright adopt, or remove or rename it in the cloud."
      : "Take that off it in the cloud before it is adopted, as an adoption would remove it, or rename the load balancer.",
  BalancerAdopted: "",
  BalancerStands: (r) =>
    r.owner === undefined
      ? "Adopt it, and it is deleted with its Service, or delete it in the cloud; the Service then goes by itself."
      : "Delete it in the cloud; if it serves somebody else, remove the finalizer service.kubernetes.io/load-balancer-cleanup from the Service.",
  BalancerBroken: "Look at it in the cloud; it is looked at again by itself.",
  BalancerOrphaned: "Check that nothing uses it, then remove it as an admin.",
  RouteInStep: "",
  RouteMissing: "",
  NodeAddressesMissing:
    "It goes on as soon as the node has one; look at why it is not initialised.",
  RouteWithoutMachine: "It follows from the missing machine; decide what becomes of the node.",
  RouteStale: "",
  RouteForeign: "Remove that route, or give the node another pod range; it is not ours to take.",
  RouteUnowned:
    "Adopt it on the node's page or with cloudwright adopt, which puts the node's own route in its place or removes it, or remove it in the cloud.",
  RouteTableFull: "Free a route in the table or have its limit raised.",
  RouteTableSeen: "",
  RouteDeletionsUnconfirmed: "They are looked at once more before any of them is deleted.",
  NetworkConditionDiffers: "",
  PodCIDRsMissing: "",
  PodCIDRsInStep: "",
  PodCIDRsFixed: "Register the node anew if it should have others.",
  NodeLeaving: "",
  PodCIDRInvalid: "Register the node anew with a correct range; the field cannot be changed.",
  PodCIDRDuplicate: "Delete one of the two nodes and register it anew.",
  PodCIDROverlap: "Register the younger node anew; the older one keeps its range.",
  PodCIDROutside: "Correct --cluster-cidr, or register the node anew with a range of it.",
  PodCIDRsExhausted: "Delete nodes that are not needed, or give the cluster a larger range.",
  VolumeInStep: "",
  VolumeLabelsDiffer: "",
  VolumeNotFound: "Check the volume's id, and that we look in the right project and region.",
  VolumeZoneInvalid: "Correct it in the cloud.",
  VolumeNotOurs: "",
  VolumeWithoutTopology: "",
  VolumeAffinityKept: "Make a new PersistentVolume for the disk, with an affinity to where it is.",
  VolumeFileSystemPending: "Start a pod that uses it, if none does.",
  VolumeAffinityConflict:
    "Move the disk back, or make a new PersistentVolume for it; its labels were corrected.",
  VolumeTooSmall: "",
  ClaimNotExpandable: "Allow expansion in its storage class, or ask for less.",
  PersonAsked: "",
  HoldExpired: "",
  FreedUnfinished: "It is finished as soon as the cloud answers; hold it to keep pods away.",
  OverrideExpired: "Free it again, or find out why it cannot be initialised.",
  NothingToDo: "",
  WishRefused: "",
  ControllerPaused: "Resume the controller to go on.",
  DeletionGuardHeld:
    "Check in the cloud that these machines are really gone, then release the deletion guard.",
  ControlRecordUnavailable:
    "Grant get, create and update of that ConfigMap in the election namespace.",
  RunInterrupted: "The next run carries on from what it finds.",
  Unexplained: "It is tried again by itself.",
};

function thing(object: ObjectRef): string {
  return `${object.kind} \`${objectName(object)}\``;
}

const STATE_WORDS: Record<State, string> = {
  stuck: "is stuck",
  unknown: "could not be looked at",
  waiting: "is waiting",
  working: "is being worked on",
  held: "is held",
  ok: "is OK",
  gone: "is gone",
};

function stateWords({ state, sinceMs, nowMs }: Diagnosis): string {
  const words = STATE_WORDS[state];
  if (sinceMs === undefined || state === "ok" || state === "gone") return words;
  return `${words} for ${formatDuration(Math.max(0, nowMs - sinceMs))}`;
}

function nextStep({ state, nextAtMs, nowMs }: Diagnosis): string {
  if (nextAtMs === undefined || state === "ok" || state === "gone") return "";
  return nextTry(nextAtMs, nowMs);
}

/** What is due takes a moment to be taken up; later than this it waits for something. */
const OVERDUE_MS = 10_000;

/** When an object is looked at again by itself; never a time that has passed. */
export function nextTry(nextAtMs: number, nowMs: number): string {
  const lateMs = nowMs - nextAtMs;
  if (lateMs < 0) return `Next try in ${formatDuration(-lateMs)}.`;
  return lateMs < OVERDUE_MS
    ? "The next try is due now."
    : `The next try has been overdue for ${formatDuration(lateMs)}.`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
