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
}

/**
 * The whole diagnosis in UX.md section 2's order: thing, state, since; cause with evidence; what happens next; what
 * to do. Page, CLI and export print this; nobody else writes such sentences. The cause stands in it letter by letter as
 * Events and lists show it, so that one can be found by the other.
 */
export function sentence(diagnosis: Diagnosis): string {
  const parts = [
    `${thing(diagnosis.object)} ${stateWords(diagnosis)}: ${cause(diagnosis.reason)}.`,
    nextStep(diagnosis),
    advice(diagnosis.reason),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** The first sentence alone: what the Why column of a list shows. No full stop. */
export function cause(reason: Reason): string {
  return capitalise(causeOf(reason));
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

type Texts<Result> = { readonly [Code in ReasonCode]: (reason: ReasonOf<Code>) => Result };

const CAUSES: Texts<string> = {
  InstanceNotFound: (r) =>
    r.by === "name"
      ? `no instance in ${r.provider} is named ${r.value}${evidence(r)}`
      : `no instance in ${r.provider} has the provider ID ${r.value}${evidence(r)}`,
  InstanceUnclaimed: (r) => `${r.provider} returned no data for it and says that it is not its own`,
  ProviderThrottled: (r) =>
    `${r.provider} allows no more calls for now (429 on ${r.operation}${r.retryAfterMs === undefined ? "" : `, it asked for ${formatDuration(r.retryAfterMs)}`}${request(r)})`,
  ProviderUnauthorized: (r) =>
    `${r.provider} refused our credentials on ${r.operation} (${statusText(r)}${request(r)})`,
  ProviderUnavailable: (r) =>
    `${r.provider} failed on ${r.operation}: ${r.message} (${statusText(r)}${request(r)})`,
  ProviderTimedOut: (r) =>
    `${r.provider} gave no answer to ${r.operation} within ${formatDuration(r.afterMs)}`,
  ProviderQuotaExceeded: (r) =>
    `a quota of ${r.provider} is used up: ${r.message} (${statusText(r)}${request(r)})`,
  ProviderRefused: (r) =>
    `${r.provider} refused ${r.operation}: ${r.message} (${statusText(r)}${request(r)})`,
  ProviderUnsupported: (r) => `${r.provider} does not offer ${r.operation}`,
  CloudListsNothing: (r) =>
    `${r.provider} lists no instance at all while ${r.nodes} nodes say they run there`,
  ProviderIDMissing: (r) => `${r.provider} gives this instance no provider ID`,
  ProviderIDMalformed: (r) => `the provider ID ${r.providerID} has not the form ${r.expected}`,
  ProviderIDDuplicate: (r) => `node ${r.other} has the same provider ID ${r.providerID}`,
  ForeignNode: (r) => `its provider ID ${r.providerID} belongs to another cloud than ${r.provider}`,
  ProvidedNodeIPInvalid: (r) =>
    `the annotation alpha.kubernetes.io/provided-node-ip is "${r.annotation}": ${r.problem}`,
  ProvidedNodeIPUnknown: (r) =>
    `the kubelet's node IP ${r.wanted} is not among the addresses that the cloud knows (${r.cloudHas.join(", ") || "none"})`,
  AddressesMissing: (r) => `${r.provider} lists no address for this instance`,
  AddressDuplicate: (r) => `the cloud lists the address ${r.type} ${r.address} twice`,
  LabelInvalid: (r) => `the cloud's value "${r.value}" cannot be the label ${r.key}: ${r.problem}`,
  TaintOfOthers: (r) => `the taints left are not ours to remove: ${r.taints.join(", ")}`,
  KubeForbidden: (r) => `the Kubernetes API forbids ${r.verb} ${r.resource}: ${r.message}`,
  KubeConflict: (r) =>
    `another client changed the object at the same time (${r.verb} ${r.resource})`,
  KubeRefused: (r) => `the Kubernetes API refused ${r.verb} ${r.resource}: ${r.message}`,
  KubeUnavailable: (r) => `the Kubernetes API failed on ${r.verb} ${r.resource}: ${r.message}`,
  KubeThrottled: (r) => `the Kubernetes API allows no more calls for now (${r.verb} ${r.resource})`,
  NewNodeGrace: () => "the cloud does not list this new node yet, and new nodes are given time",
  InstanceAbsentOnce: (r) =>
    `${r.provider} says that ${r.providerID} does not exist${evidence(r)}, and we look once more before we delete`,
  InstanceGone: (r) => `${r.provider} said twice that ${r.providerID} does not exist${evidence(r)}`,
  InstanceStopped: (r) => `its instance is ${r.state} in ${r.provider}`,
  InstanceRunning: (r) => `its instance runs again in ${r.provider}`,
  NodeReady: () => "the node is Ready",
  NodeUnreadyInstanceRuns: (r) =>
    `its kubelet is not Ready although its instance runs in ${r.provider}`,
  Initialised: () => "it was initialised from the cloud's facts",
  InStep: () => "it agrees with the cloud",
  FactsChanged: (r) => `the cloud's facts changed: ${r.fields.join(", ")}`,
  Uninitialised: () => "it carries the uninitialized taint",
  ObjectGone: () => "it is no longer in the cluster",
  HeldByAnnotation: (r) =>
    `it is held${r.by === undefined ? "" : ` by ${r.by}`}${r.why === undefined ? "" : `: ${r.why}`}`,
  PersonAsked: (r) => `${r.by} asked for it: ${r.why}`,
  HoldExpired: (r) =>
    `the hold${r.by === undefined ? "" : ` by ${r.by}`} was set to end at ${clockTime(r.untilMs)}`,
  FreedUnfinished: (r) =>
    `${r.by} freed it before it was initialised, until ${clockTime(r.untilMs)}: ${r.why}`,
  OverrideExpired: (r) =>
    `it was freed by ${r.by} until ${clockTime(r.untilMs)} and is still not initialised`,
  NothingToDo: (r) => r.what,
  WishRefused: (r) => r.problem,
  ControllerPaused: (r) =>
    `its controller is paused by ${r.by} until ${clockTime(r.untilMs)}: ${r.why}`,
  DeletionGuardHeld: (r) =>
    `${r.provider} says that ${r.providerID} does not exist, but ${r.deleted} of at most ${r.limit} nodes were deleted within ${formatDuration(r.windowMs)}, so the deletion guard holds ${r.held === 1 ? "this deletion" : `${r.held} deletions`}`,
  ControlRecordUnavailable: (r) =>
    `the ConfigMap cloudwright-controls cannot be used: ${r.message}`,
  RunInterrupted: () => "the controller died during this run",
  Unexplained: (r) => `cause unknown; the last error was: ${r.message}`,
};

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
  InstanceStopped: "Start the instance, or delete it if it is not needed.",
  InstanceRunning: "",
  NodeReady: "",
  NodeUnreadyInstanceRuns: "Look at the kubelet and the network of that machine.",
  Initialised: "",
  InStep: "",
  FactsChanged: "",
  Uninitialised: "",
  ObjectGone: "",
  HeldByAnnotation: "Release it when the reason is past.",
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

function causeOf(reason: Reason): string {
  return CAUSES[reason.code](reason as never);
}

function thing(object: ObjectRef): string {
  return `${object.kind} \`${objectName(object)}\``;
}

const STATE_WORDS: Record<State, string> = {
  stuck: "is stuck",
  unknown: "is unknown",
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
  if (nextAtMs <= nowMs) return "The next try is due now.";
  return `Next try in ${formatDuration(nextAtMs - nowMs)}.`;
}

/** Minutes are enough: these are ends that people set. */
function clockTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function evidence(reason: { readonly requestId?: string | undefined }): string {
  return reason.requestId === undefined ? "" : ` (request ${reason.requestId})`;
}

function request(reason: { readonly requestId?: string | undefined }): string {
  return reason.requestId === undefined ? "" : `, request ${reason.requestId}`;
}

function statusText(reason: { readonly status?: number | undefined }): string {
  return reason.status === undefined ? "no status" : `status ${reason.status}`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
