import { z } from "zod";
import { balancerProofSchema, routeProofSchema } from "./adoption.ts";

/**
 * Why an object is as it is: a code with typed fields, made where the fact is known and rendered by `sentence.ts`,
 * so that Event, log, page and export say the same (UX.md section 2).
 */
export const reasonSchema = z.discriminatedUnion("code", [
  // What the cloud said, or failed to say.
  reason("InstanceNotFound", {
    provider: z.string(),
    by: z.enum(["providerID", "name"]),
    value: z.string(),
    requestId: z.string().optional(),
  }),
  reason("InstanceUnclaimed", { provider: z.string() }),
  reason("ProviderThrottled", {
    provider: z.string(),
    operation: z.string(),
    retryAfterMs: z.number().optional(),
    requestId: z.string().optional(),
  }),
  reason("ProviderUnauthorized", providerFailure()),
  reason("ProviderUnavailable", {
    ...providerFailure(),
    /** What the cloud asked us to wait. */
    retryAfterMs: z.number().optional(),
  }),
  reason("ProviderTimedOut", {
    provider: z.string(),
    operation: z.string(),
    afterMs: z.number(),
  }),
  reason("ProviderQuotaExceeded", providerFailure()),
  reason("ProviderRefused", {
    ...providerFailure(),
    /** That it was not what we sent that was refused, but what had become of it meanwhile. */
    because: z.enum(["conflict", "notFound"]).optional(),
  }),
  reason("ProviderUnsupported", { provider: z.string(), operation: z.string() }),
  /** A write that was held back because this process does not hold the Lease any more: the next leader carries on. */
  reason("LeaseLost", { operation: z.string() }),
  /** A controller that is responsible for the object has not said anything of it yet. */
  reason("NotReportedYet", { controller: z.string() }),
  reason("CloudListsNothing", { provider: z.string(), nodes: z.number() }),
  // What is wrong with the node or with what the cloud says of it.
  reason("ProviderIDMissing", { provider: z.string() }),
  reason("ProviderIDMalformed", { providerID: z.string(), expected: z.string() }),
  reason("ProviderIDDuplicate", { providerID: z.string(), other: z.string() }),
  reason("ForeignNode", { providerID: z.string(), provider: z.string() }),
  reason("ProvidedNodeIPInvalid", { annotation: z.string(), problem: z.string() }),
  reason("ProvidedNodeIPUnknown", { wanted: z.string(), cloudHas: z.array(z.string()) }),
  reason("AddressesMissing", { provider: z.string() }),
  reason("AddressDuplicate", { type: z.string(), address: z.string() }),
  /** What of it is not as the cloud says, and is not ours to set. */
  reason("IdentityLeftAlone", { lacksProviderID: z.boolean(), labels: z.array(z.string()) }),
  reason("LabelInvalid", { key: z.string(), value: z.string(), problem: z.string() }),
  reason("TaintOfOthers", { taints: z.array(z.string()) }),
  // What the Kubernetes API said.
  reason("KubeForbidden", kubeFailure()),
  reason("KubeConflict", kubeFailure()),
  reason("KubeRefused", kubeFailure()),
  reason("KubeUnavailable", kubeFailure()),
  reason("KubeThrottled", kubeFailure()),
  // Lifecycle.
  reason("NewNodeGrace", { untilMs: z.number() }),
  reason("InstanceAbsentOnce", {
    provider: z.string(),
    providerID: z.string(),
    requestId: z.string().optional(),
  }),
  reason("InstanceGone", {
    provider: z.string(),
    providerID: z.string(),
    requestId: z.string().optional(),
  }),
  reason("InstanceStopped", { provider: z.string(), state: z.string() }),
  reason("InstanceRunning", { provider: z.string() }),
  reason("NodeReady", {}),
  reason("NodeUnreadyInstanceRuns", { provider: z.string() }),
  // Working as meant.
  reason("Initialised", {}),
  reason("InStep", {}),
  reason("FactsChanged", { fields: z.array(z.string()) }),
  reason("Uninitialised", {}),
  reason("ObjectGone", {}),
  reason("HeldByAnnotation", {
    by: z.string().optional(),
    why: z.string().optional(),
    /** When the hold lifts by itself; absent for one that kubectl set without an end. */
    untilMs: z.number().optional(),
  }),
  // Services and their load balancers.
  reason("ServiceInvalid", { field: z.string(), value: z.string(), problem: z.string() }),
  reason("ServiceUnsupported", { provider: z.string(), field: z.string(), problem: z.string() }),
  reason("ServiceUnwanted", { why: z.enum(["deleted", "type", "class"]) }),
  reason("ServedElsewhere", { provider: z.string() }),
  reason("FinalizerMissing", {
    /** The finalizer is there, and nothing beside it says under which class we serve it. */
    isWithoutClass: z.boolean().optional(),
  }),
  reason("BalancerMissing", { provider: z.string() }),
  reason("BalancerDiffers", { aspects: z.array(z.string()) }),
  reason("BalancerReensured", { by: z.string(), why: z.string() }),
  reason("MembersDiffer", { added: z.array(z.string()), removed: z.array(z.string()) }),
  reason("BalancerProvisioning", { provider: z.string(), id: z.string(), what: z.string() }),
  reason("BalancerInStep", { members: z.number(), address: z.string().optional() }),
  reason("BalancerWithoutMembers", {}),
  reason("BalancerMemberRefused", { node: z.string(), message: z.string(), others: z.number() }),
  /** It follows from the missing machine that the cloud refuses it: nothing of the balancer is to be mended. */
  reason("BalancerMemberGone", { provider: z.string(), node: z.string(), others: z.number() }),
  reason("BalancerAddressMissing", { provider: z.string() }),
  reason("BalancerAddressChanged", { from: z.string(), to: z.string() }),
  reason("BalancerForeign", { provider: z.string(), id: z.string(), owner: z.string() }),
  reason("BalancerUnowned", {
    provider: z.string(),
    id: z.string(),
    name: z.string(),
    /** What is on it that the Service does not ask for; absent when there is nothing. */
    others: z.array(z.string()).optional(),
    /** Which of the two proofs speak for its being the Service's own. */
    proofs: z.array(balancerProofSchema).optional(),
  }),
  reason("BalancerAdopted", {
    provider: z.string(),
    id: z.string(),
    name: z.string(),
    address: z.string(),
    /** It had not both proofs, and somebody allowed it. */
    isByConsent: z.boolean().optional(),
  }),
  /** What the Service leaves behind if it goes, and is not ours to delete: the finalizer stays. */
  reason("BalancerStands", {
    provider: z.string(),
    id: z.string(),
    name: z.string(),
    proofs: z.array(balancerProofSchema),
    /** Whose mark it carries; absent: it carries none. */
    owner: z.string().optional(),
  }),
  reason("BalancerBroken", { provider: z.string(), id: z.string(), message: z.string() }),
  reason("BalancerOrphaned", {
    provider: z.string(),
    id: z.string(),
    service: z.string(),
    /** When it is removed by itself; absent when only an admin removes it. */
    untilMs: z.number().optional(),
  }),
  // Routes.
  reason("RouteInStep", { routes: z.number() }),
  reason("RouteMissing", { cidr: z.string() }),
  /** Of the Node, not of its instance: a route waits for them. */
  reason("NodeAddressesMissing", {}),
  /** No route is tried to a machine that is gone: the cloud would only refuse it. */
  reason("RouteWithoutMachine", {
    provider: z.string(),
    providerID: z.string(),
    requestId: z.string().optional(),
  }),
  reason("RouteStale", {
    destination: z.string(),
    why: z.enum(["nodeGone", "notAsked", "otherTarget", "otherAddresses", "blackhole"]),
  }),
  reason("RouteForeign", {
    provider: z.string(),
    cidr: z.string(),
    id: z.string(),
    owner: z.string(),
  }),
  reason("RouteUnowned", {
    provider: z.string(),
    cidr: z.string(),
    id: z.string(),
    /** Which proofs speak for its being the Node's own. */
    proofs: z.array(routeProofSchema),
  }),
  reason("RouteTableFull", {
    provider: z.string(),
    cidr: z.string(),
    message: z.string(),
    requestId: z.string().optional(),
  }),
  reason("RouteTableSeen", {
    used: z.number(),
    capacity: z.number().optional(),
    foreign: z.number(),
  }),
  reason("RouteDeletionsUnconfirmed", { routes: z.number(), of: z.number() }),
  reason("NetworkConditionDiffers", { has: z.string(), wanted: z.string() }),
  // Pod ranges.
  reason("PodCIDRsMissing", {}),
  reason("PodCIDRsInStep", { cidrs: z.array(z.string()) }),
  /** That a Node which has some gets no others. */
  reason("PodCIDRsFixed", { cidrs: z.array(z.string()) }),
  reason("NodeLeaving", {}),
  reason("PodCIDRInvalid", { cidr: z.string(), problem: z.string() }),
  reason("PodCIDRDuplicate", { cidr: z.string(), other: z.string() }),
  reason("PodCIDROverlap", { cidr: z.string(), other: z.string(), otherCIDR: z.string() }),
  reason("PodCIDROutside", { cidr: z.string(), ranges: z.array(z.string()) }),
  reason("PodCIDRsExhausted", { range: z.string(), capacity: z.number() }),
  // Volumes.
  reason("VolumeInStep", { id: z.string() }),
  reason("VolumeLabelsDiffer", { labels: z.array(z.string()) }),
  reason("VolumeNotFound", {
    provider: z.string(),
    id: z.string(),
    requestId: z.string().optional(),
  }),
  reason("VolumeZoneInvalid", { id: z.string(), value: z.string(), problem: z.string() }),
  /** `source`: its source is not of this cloud. `placeholder`: its disk was not made when the volume was. */
  reason("VolumeNotOurs", { why: z.enum(["source", "placeholder"]) }),
  reason("VolumeWithoutTopology", { id: z.string() }),
  /** It had an affinity of its own before we came, which says nothing of where the disk is. */
  reason("VolumeAffinityKept", { wanted: z.string() }),
  reason("VolumeFileSystemPending", { id: z.string(), sizeGiB: z.number() }),
  reason("VolumeAffinityConflict", { has: z.string(), wanted: z.string() }),
  reason("VolumeTooSmall", { id: z.string(), hasGiB: z.number(), wantedGiB: z.number() }),
  reason("ClaimNotExpandable", { claim: z.string(), problem: z.string() }),
  // What people did.
  reason("PersonAsked", { by: z.string(), why: z.string(), intentId: z.string() }),
  reason("HoldExpired", { by: z.string().optional(), untilMs: z.number() }),
  reason("FreedUnfinished", { by: z.string(), untilMs: z.number(), why: z.string() }),
  reason("OverrideExpired", { by: z.string(), untilMs: z.number() }),
  reason("NothingToDo", { what: z.string() }),
  reason("WishRefused", { problem: z.string() }),
  reason("ControllerPaused", { by: z.string(), untilMs: z.number(), why: z.string() }),
  reason("DeletionGuardHeld", {
    provider: z.string(),
    providerID: z.string(),
    deleted: z.number(),
    limit: z.number(),
    windowMs: z.number(),
    held: z.number(),
  }),
  reason("ControlRecordUnavailable", { message: z.string() }),
  reason("RunInterrupted", {}),
  reason("Unexplained", { message: z.string() }),
]);

export type Reason = z.infer<typeof reasonSchema>;
export type ReasonCode = Reason["code"];
export type ReasonOf<Code extends ReasonCode> = Extract<Reason, { code: Code }>;

function reason<Code extends string, Fields extends z.ZodRawShape>(code: Code, fields: Fields) {
  return z.object({ code: z.literal(code), ...fields }).readonly();
}

function providerFailure() {
  return {
    provider: z.string(),
    operation: z.string(),
    message: z.string(),
    status: z.number().optional(),
    requestId: z.string().optional(),
  };
}

function kubeFailure() {
  return { verb: z.string(), resource: z.string(), message: z.string() };
}
