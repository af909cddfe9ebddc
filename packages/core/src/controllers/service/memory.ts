import type { LoadBalancerMember } from "@cloudwright/provider-api";
import { isProviderError } from "@cloudwright/provider-api";
import type { Reason } from "../../model/reason.ts";
import type { Json } from "../../model/values/json.ts";
import type { FailedAttempt } from "../../reconcile/reconciler.ts";
import type { MemberSet } from "./members/members.ts";

/**
 * What is remembered of a Service, or of a load balancer without one, beyond what the API server and the cloud store. It is lost
 * with the process, and then learnt again.
 */
export interface ServiceMemory {
  /** Whether a load balancer with its mark was seen, or may have been created. */
  readonly mayHaveLoadBalancer: boolean;
  /** The addresses at which its own load balancer was last seen: no other load balancer is looked for there. */
  readonly places: readonly string[];
  /** When the cloud last answered for it, milliseconds since the epoch. */
  readonly lookedAt: number | undefined;
  readonly refused: Refusals;
  /** The members that were planned last: additions and removals are reported by their names. */
  readonly members: readonly LoadBalancerMember[];
  /** The nodes that the last run gave it: while changes gather, the load balancer keeps these nodes. */
  readonly followed: MemberSet | undefined;
  /** How many of its members are in which state, in the cloud's words; empty if the cloud does not report that. */
  readonly health: HealthCounts;
  readonly announced: Announced;
  /** Undefined if the last run did everything that was needed. */
  readonly trouble: Trouble | undefined;
  /** What the pages last showed, for runs that do not ask the cloud. */
  readonly detail: Json | undefined;
  /** When we last changed something of its load balancer, in milliseconds since the epoch. */
  readonly changedAt: number | undefined;
  /** UIDs of earlier Services of its name that had nothing left in the cloud in the last run. */
  readonly cleared: readonly string[];
  /** Whether the removal of a load balancer without a Service has started. */
  readonly isBeingRemoved: boolean;
}

export type HealthCounts = ReadonlyMap<string, number>;

/** Which Events of the current series of writes were sent. */
export interface Announced {
  readonly ensuring: boolean;
  /** UIDs of the Services, this one and earlier ones of its name, whose load balancer is being deleted. */
  readonly deleting: readonly string[];
  readonly withoutMembers: boolean;
  /** The provider's last notices, in the words of its Events. */
  readonly notices: readonly string[];
}

/** The trouble of a Service whose last runs failed, or whose last run was blocked. */
export interface Trouble {
  /** How many runs in a row. */
  readonly times: number;
  /** The reason of the last one; undefined if it was not the cloud that failed. */
  readonly reason: Reason | undefined;
}

/** Members that the cloud refused, by provider ID. */
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

/** Adds the refusals that a run's failed writes revealed. */
export function withRefusals(known: Refusals, failed: readonly FailedAttempt[]): Refusals {
  const anew = failed.flatMap(({ error, at }) => {
    const member = refusedMember(error);
    if (member === undefined || !isProviderError(error)) return [];
    return [[member, { message: error.message, at }] as const];
  });
  return anew.length === 0 ? known : new Map([...known, ...anew]);
}

/** Returns the provider ID of the member that made the cloud refuse a write. */
export function refusedMember(error: unknown): string | undefined {
  return isProviderError(error) && error.code === "Invalid" ? error.call.member : undefined;
}
