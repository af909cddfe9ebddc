import { CONTROLLERS, type ControllerName } from "./controller-names.ts";
import type { Reason, ReasonCode } from "./reason.ts";

/** What an object needs first comes first: a cause there explains what fails further down (UX.md section 2). */
export const DEPTHS = [
  "machine",
  "initialisation",
  "identity",
  "podRange",
  "network",
  "volume",
] as const;
export type Depth = (typeof DEPTHS)[number];

/** `person`: only a person can mend it. `passing`: it may pass by itself. `none`: it is no fault. */
export type Fault = "person" | "passing" | "none";

/** How deep the cause lies. What may befall any call, such as a refusal, lies as deep as what its controller does. */
export function depthOf(code: ReasonCode, controller: ControllerName): Depth {
  const [depth] = RANKS[code];
  return depth === "controller" ? CONTROLLERS[controller].depth : depth;
}

/** Who can mend the fault: what decides whether its object is stuck at once (DESIGN.md "State"). */
export function faultOf(reason: Reason): Fault {
  // What is in conflict, or was gone by then, is planned anew from what is there.
  if (reason.code === "ProviderRefused" && reason.because !== undefined) return "passing";
  return RANKS[reason.code][1];
}

/**
 * How much of what fails further down follows from this cause: everything where there is no machine, and what a person
 * need not mend where it only stands still.
 */
export function explainedBy(code: ReasonCode): "all" | "passing" | "nothing" {
  if (WITHOUT_MACHINE.has(code)) return "all";
  return code === "InstanceStopped" ? "passing" : "nothing";
}

/** The reasons that say of a node: the cloud has no machine for it. */
export const WITHOUT_MACHINE: ReadonlySet<ReasonCode> = new Set([
  "InstanceNotFound",
  "InstanceAbsentOnce",
  "InstanceGone",
  "DeletionGuardHeld",
]);

const RANKS: { readonly [Code in ReasonCode]: readonly [Depth | "controller", Fault] } = {
  InstanceNotFound: ["controller", "person"],
  InstanceUnclaimed: ["identity", "none"],
  ProviderThrottled: ["controller", "passing"],
  ProviderUnauthorized: ["controller", "person"],
  ProviderUnavailable: ["controller", "passing"],
  ProviderTimedOut: ["controller", "passing"],
  ProviderQuotaExceeded: ["controller", "person"],
  ProviderRefused: ["controller", "person"],
  ProviderUnsupported: ["controller", "person"],
  LeaseLost: ["controller", "none"],
  NotReportedYet: ["initialisation", "none"],
  CloudListsNothing: ["machine", "passing"],
  ProviderIDMissing: ["identity", "person"],
  ProviderIDMalformed: ["identity", "person"],
  ProviderIDDuplicate: ["identity", "person"],
  ForeignNode: ["identity", "none"],
  ProvidedNodeIPInvalid: ["initialisation", "person"],
  ProvidedNodeIPUnknown: ["initialisation", "person"],
  AddressesMissing: ["initialisation", "none"],
  AddressDuplicate: ["initialisation", "none"],
  IdentityLeftAlone: ["identity", "none"],
  LabelInvalid: ["initialisation", "person"],
  TaintOfOthers: ["identity", "none"],
  KubeForbidden: ["controller", "person"],
  KubeConflict: ["controller", "passing"],
  KubeRefused: ["controller", "person"],
  KubeUnavailable: ["controller", "passing"],
  KubeThrottled: ["controller", "passing"],
  NewNodeGrace: ["initialisation", "none"],
  InstanceAbsentOnce: ["machine", "none"],
  InstanceGone: ["machine", "none"],
  InstanceStopped: ["machine", "none"],
  InstanceRunning: ["machine", "none"],
  NodeReady: ["machine", "none"],
  NodeUnreadyInstanceRuns: ["machine", "none"],
  Initialised: ["initialisation", "none"],
  InStep: ["controller", "none"],
  FactsChanged: ["controller", "none"],
  Uninitialised: ["initialisation", "none"],
  ObjectGone: ["controller", "none"],
  HeldByAnnotation: ["controller", "none"],
  ServiceInvalid: ["network", "person"],
  ServiceUnsupported: ["network", "person"],
  ServiceUnwanted: ["network", "none"],
  ServedElsewhere: ["network", "none"],
  FinalizerMissing: ["network", "none"],
  BalancerMissing: ["network", "none"],
  BalancerDiffers: ["network", "none"],
  BalancerReensured: ["network", "none"],
  MembersDiffer: ["network", "none"],
  BalancerProvisioning: ["network", "none"],
  BalancerInStep: ["network", "none"],
  BalancerWithoutMembers: ["network", "none"],
  BalancerMemberRefused: ["network", "person"],
  BalancerMemberGone: ["network", "none"],
  BalancerAddressMissing: ["network", "passing"],
  BalancerAddressChanged: ["network", "none"],
  BalancerForeign: ["network", "person"],
  BalancerUnowned: ["network", "person"],
  BalancerStands: ["network", "person"],
  BalancerAdopted: ["network", "none"],
  BalancerBroken: ["network", "passing"],
  BalancerOrphaned: ["network", "none"],
  RouteInStep: ["network", "none"],
  RouteMissing: ["network", "none"],
  NodeAddressesMissing: ["network", "none"],
  RouteWithoutMachine: ["network", "none"],
  RouteStale: ["network", "none"],
  RouteForeign: ["network", "person"],
  RouteUnowned: ["network", "person"],
  RouteTableFull: ["network", "person"],
  RouteTableSeen: ["network", "none"],
  RouteDeletionsUnconfirmed: ["network", "none"],
  NetworkConditionDiffers: ["network", "none"],
  PodCIDRsMissing: ["podRange", "none"],
  PodCIDRsInStep: ["podRange", "none"],
  PodCIDRsFixed: ["podRange", "none"],
  NodeLeaving: ["podRange", "none"],
  PodCIDRInvalid: ["podRange", "person"],
  PodCIDRDuplicate: ["podRange", "person"],
  PodCIDROverlap: ["podRange", "person"],
  PodCIDROutside: ["podRange", "person"],
  PodCIDRsExhausted: ["podRange", "person"],
  VolumeInStep: ["volume", "none"],
  VolumeLabelsDiffer: ["volume", "none"],
  VolumeNotFound: ["volume", "person"],
  VolumeZoneInvalid: ["volume", "person"],
  VolumeNotOurs: ["volume", "none"],
  VolumeWithoutTopology: ["volume", "none"],
  VolumeAffinityKept: ["volume", "none"],
  VolumeFileSystemPending: ["volume", "none"],
  VolumeAffinityConflict: ["volume", "person"],
  VolumeTooSmall: ["volume", "none"],
  ClaimNotExpandable: ["volume", "person"],
  PersonAsked: ["controller", "none"],
  HoldExpired: ["controller", "none"],
  FreedUnfinished: ["initialisation", "none"],
  OverrideExpired: ["initialisation", "none"],
  NothingToDo: ["controller", "none"],
  WishRefused: ["controller", "none"],
  ControllerPaused: ["controller", "none"],
  DeletionGuardHeld: ["machine", "person"],
  ControlRecordUnavailable: ["controller", "passing"],
  RunInterrupted: ["controller", "none"],
  Unexplained: ["controller", "passing"],
};
