import { type ObjectRef, objectName } from "../model/object-ref.ts";
import type { Reason, ReasonCode } from "../model/reason.ts";
import { eventMessage } from "../model/sentence.ts";
import type { Clock } from "../model/time.ts";
import type { RunOutcome } from "./loop-port.ts";

export interface OutcomeEventsOptions {
  readonly clock: Clock;
  /** Milliseconds after which a reason that lasts is reported again; 300,000 unless given. */
  readonly repeatMs?: number;
  /** What a controller's own Event for this outcome is called and says; undefined, or absent: its Reason's code and words. */
  wording?(outcome: RunOutcome): Pick<OutcomeEvent, "reason" | "message"> | undefined;
  emit(object: ObjectRef, event: OutcomeEvent): void;
}

export interface OutcomeEvent {
  readonly type: "Warning";
  /** A Reason's code, or an Event reason of upstream's. */
  readonly reason: string;
  readonly message: string;
}

/**
 * Gives a Kubernetes Event to what upstream keeps silent about: a run that failed, is blocked or waits, or that settled
 * on less than it should have, when its reason is new for the object, and again every five minutes unless it was dealt with.
 * Hand it to a loop's `onOutcome`. Dry runs emit nothing.
 */
export function createOutcomeEvents(options: OutcomeEventsOptions): (outcome: RunOutcome) => void {
  const told = new Map<string, Told>();
  return (outcome) => {
    if (outcome.dryRun || outcome.outcome === "interrupted") return;
    const key = `${outcome.controller} ${outcome.object.kind} ${objectName(outcome.object)}`;
    if (!WARNS[outcome.reason.code]) {
      told.delete(key);
      return;
    }
    const { reason } = outcome;
    const now = options.clock.monotonic();
    const before = told.get(key);
    const repeatMs = pauseFor(reason, options.repeatMs);
    const what = newsOf(reason);
    if (before?.what === what && now - before.at < repeatMs) return;
    told.set(key, { what, at: now });
    const words = options.wording?.(outcome) ?? {
      reason: reason.code,
      message: eventMessage(reason),
    };
    options.emit(outcome.object, { type: "Warning", ...words });
  };
}

const DEFAULT_REPEAT_MS = 300_000;

function pauseFor({ code }: Reason, repeatMs = DEFAULT_REPEAT_MS): number {
  return ONCE.has(code) ? Number.POSITIVE_INFINITY : repeatMs;
}

interface Told {
  readonly what: string;
  readonly at: number;
}

/** What was dealt with: it is worth one Event, and not another one while it stays so. */
const ONCE: ReadonlySet<ReasonCode> = new Set(["AddressDuplicate"]);

/** One mistake that takes the place of another is reported as well; other causes are news by their code alone. */
function newsOf(reason: Reason): string {
  return MISTAKES.has(reason.code) ? JSON.stringify(reason) : reason.code;
}

/** What somebody wrote into an object and can correct there. */
const MISTAKES: ReadonlySet<ReasonCode> = new Set([
  "ServiceInvalid",
  "ServiceUnsupported",
  "ProvidedNodeIPInvalid",
]);

/** Whether it is worth a Warning. Not when it is meant to be so, when a person made it so, or time alone heals it. */
const WARNS: Record<ReasonCode, boolean> = {
  InstanceNotFound: true,
  InstanceUnclaimed: true,
  ProviderThrottled: true,
  ProviderUnauthorized: true,
  ProviderUnavailable: true,
  ProviderTimedOut: true,
  ProviderQuotaExceeded: true,
  ProviderRefused: true,
  ProviderUnsupported: true,
  LeaseLost: false,
  NotReportedYet: false,
  CloudListsNothing: true,
  ProviderIDMissing: true,
  ProviderIDMalformed: true,
  ProviderIDDuplicate: true,
  ForeignNode: false,
  ProvidedNodeIPInvalid: true,
  ProvidedNodeIPUnknown: true,
  AddressesMissing: true,
  AddressDuplicate: true,
  IdentityLeftAlone: false,
  LabelInvalid: true,
  TaintOfOthers: false,
  KubeForbidden: true,
  KubeConflict: true,
  KubeRefused: true,
  KubeUnavailable: true,
  KubeThrottled: true,
  NewNodeGrace: false,
  InstanceAbsentOnce: true,
  InstanceGone: false,
  InstanceStopped: false,
  InstanceRunning: false,
  NodeReady: false,
  NodeUnreadyInstanceRuns: false,
  Initialised: false,
  InStep: false,
  FactsChanged: false,
  Uninitialised: false,
  ObjectGone: false,
  HeldByAnnotation: false,
  ServiceInvalid: true,
  ServiceUnsupported: true,
  ServiceUnwanted: false,
  ServedElsewhere: false,
  FinalizerMissing: false,
  BalancerMissing: false,
  BalancerDiffers: false,
  BalancerReensured: false,
  MembersDiffer: false,
  BalancerProvisioning: false,
  BalancerInStep: false,
  BalancerWithoutMembers: false,
  BalancerMemberRefused: true,
  BalancerMemberGone: true,
  BalancerAddressMissing: true,
  BalancerAddressChanged: false,
  BalancerForeign: true,
  BalancerUnowned: true,
  BalancerAdopted: false,
  BalancerStands: true,
  BalancerBroken: true,
  BalancerOrphaned: false,
  RouteInStep: false,
  RouteMissing: false,
  NodeAddressesMissing: false,
  RouteWithoutMachine: false,
  RouteStale: false,
  RouteForeign: true,
  RouteUnowned: true,
  RouteTableFull: true,
  RouteTableSeen: false,
  RouteDeletionsUnconfirmed: false,
  NetworkConditionDiffers: false,
  PodCIDRsMissing: false,
  PodCIDRsInStep: false,
  PodCIDRsFixed: false,
  NodeLeaving: false,
  PodCIDRInvalid: true,
  PodCIDRDuplicate: true,
  PodCIDROverlap: true,
  PodCIDROutside: true,
  PodCIDRsExhausted: true,
  VolumeInStep: false,
  VolumeLabelsDiffer: false,
  VolumeNotFound: true,
  VolumeZoneInvalid: true,
  VolumeNotOurs: false,
  VolumeWithoutTopology: false,
  VolumeAffinityKept: false,
  VolumeFileSystemPending: false,
  VolumeAffinityConflict: true,
  VolumeTooSmall: false,
  ClaimNotExpandable: true,
  PersonAsked: false,
  HoldExpired: false,
  FreedUnfinished: false,
  OverrideExpired: true,
  NothingToDo: false,
  WishRefused: false,
  ControllerPaused: false,
  DeletionGuardHeld: true,
  ControlRecordUnavailable: true,
  RunInterrupted: false,
  Unexplained: true,
};
