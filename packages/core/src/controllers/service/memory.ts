import type { LoadBalancerMember } from "@cloudwright/provider-api";
import { isProviderError } from "@cloudwright/provider-api";
import type { Reason } from "../../model/reason.ts";
import type { Json } from "../../model/values/json.ts";
import type { FailedAttempt } from "../../reconcile/reconciler.ts";
import type { MemberSet } from "./members/members.ts";

/**
 * What is remembered of a Service, or of a load balancer without one, beside what the API server and the cloud keep; lost with the
 * process, and then learnt anew.
 */
export interface ServiceMemory {
  /** Whether a load balancer with its mark was seen, or may have been made. */
  readonly mayHaveLoadBalancer: boolean;
  /** At which addresses its own load balancer was seen last: nobody else's is looked for there. */
  readonly places: readonly string[];
  /** When the cloud last answered for it, milliseconds since the epoch. */
  readonly lookedAt: number | undefined;
  readonly refused: Refusals;
  /** Whose addition or removal is reported by name: the members that were planned last. */
  readonly members: readonly LoadBalancerMember[];
  /** The nodes that the last run gave it: while others gather, what is at work goes on with them. */
  readonly followed: MemberSet | undefined;
  /** How many of the members that it has are in which state, in the cloud's words; empty where the cloud does not say. */
  readonly health: HealthCounts;
  readonly announced: Announced;
  /** Undefined when the last run did all that was to be done. */
  readonly trouble: Trouble | undefined;
  /** What the pages were shown last, for runs that do not ask the cloud. */
  readonly detail: Json | undefined;
  /** When something of its load balancer was last changed by us, milliseconds since the epoch. */
  readonly changedAt: number | undefined;
  /** UIDs of earlier Services of its name of which the last run has found nothing more in the cloud. */
  readonly cleared: readonly string[];
  /** Of a load balancer without a Service: whether its removal has begun. */
  readonly isBeingRemoved: boolean;
}

export type HealthCounts = ReadonlyMap<string, number>;

/** Which Events of a series of writes that has begun are out. */
export interface Announced {
  readonly ensuring: boolean;
  /** UIDs of the Services, this one and earlier ones of its name, whose load balancer is being deleted. */
  readonly deleting: readonly string[];
  readonly withoutMembers: boolean;
  /** What the provider had to say of it last, in its Events' words. */
  readonly notices: readonly string[];
}

/** Of a Service whose last runs have failed, or whose last one was blocked. */
export interface Trouble {
  /** How many in a row. */
  readonly times: number;
  /** Of the last one; undefined when it was not the cloud that failed. */
  readonly reason: Reason | undefined;
}

/** Members that the cloud would not take, by provider ID. */
export type Refusals = ReadonlyMap<string, Refusal>;

export interface Refusal {
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export const NO_MEMORY: ServiceMemory = {
  mayHaveLoadBalancer: false,
  places: [],
  lookedAt: undefined,
  refused: new Map(),
  members: [],
  followed: undefined,
  health: new Map(),
  announced: { ensuring: false, deleting: [], withoutMembers: false, notices: [] },
  trouble: undefined,
  detail: undefined,
  changedAt: undefined,
  cleared: [],
  isBeingRemoved: false,
};

/** The refusals with those that a run's failed writes have brought to light. */
export function withRefusals(known: Refusals, failed: readonly FailedAttempt[]): Refusals {
  const anew = failed.flatMap(({ error, at }) => {
    const member = refusedMember(error);
    if (member === undefined || !isProviderError(error)) return [];
    return [[member, { message: error.message, at }] as const];
  });
  return anew.length === 0 ? known : new Map([...known, ...anew]);
}

/** The provider ID of the member for which the cloud has refused a write. */
export function refusedMember(error: unknown): string | undefined {
  return isProviderError(error) && error.code === "Invalid" ? error.call.member : undefined;
}
