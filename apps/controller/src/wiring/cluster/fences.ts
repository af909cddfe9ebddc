import type { Election } from "@cloudwright/core/kube/lease/election";
import { giveUpAgeMs } from "@cloudwright/core/kube/lease/election-timings";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { HeldLease } from "@cloudwright/provider-grpc/connection";
import type { Placement } from "../placement/placement.ts";
import type { ProcessContext } from "../process-context.ts";

/** Reports whether this process may write right now; called before each write. */
export type Fence = () => boolean;

/** The fences of writes: each controller's is the Lease under which it runs (spec/00 §10). */
export interface Fences {
  readonly main: Fence;
  /** For the elections' own writes; stays open until a term is too old to be renewed. */
  readonly election: Fence;
  of(controller: ControllerName): Fence;
  /** The main Lease as this process holds it now, for a provider in another process; undefined while it may not write. */
  held(): HeldLease | undefined;
}

/** Each is undefined until this process competes for that Lease. */
export interface Elections {
  readonly election: Pick<Election, "isLeader" | "mayRenew" | "term" | "renewalAgeMs"> | undefined;
  /** For the second Lease. */
  readonly migration: Pick<Election, "isLeader" | "mayRenew"> | undefined;
}

/** Creates the fences. Without an election there is no competitor; a dry run never writes. */
export function fencesOf(
  processContext: Pick<ProcessContext, "flags" | "clock" | "identity">,
  elections: Elections,
  { migrated }: Pick<Placement, "migrated">,
): Fences {
  const { flags } = processContext;
  const fenceOf =
    (lease: keyof Elections): Fence =>
    () => {
      if (flags["dry-run"]) return false;
      return flags["leader-elect"] ? elections[lease]?.isLeader() === true : true;
    };
  const main = fenceOf("election");
  const second = fenceOf("migration");
  const election = () =>
    [elections.election, elections.migration].every((each) => each?.mayRenew() !== false);
  return {
    ...{ main, election },
    of: (controller) => (migrated.includes(controller) ? second : main),
    held: () => (main() ? heldLease(processContext, elections.election) : undefined),
  };
}

/** How long a process that needs no Lease may be trusted without asking again. */
const WITHOUT_ELECTION_MS = 60_000;

function heldLease(
  { flags, clock, identity }: Pick<ProcessContext, "flags" | "clock" | "identity">,
  election: Elections["election"],
): HeldLease {
  const term = election?.term;
  if (term === undefined) {
    return { holder: identity, term: 0, validUntil: clock.now() + WITHOUT_ELECTION_MS };
  }
  const limitMs = giveUpAgeMs({
    leaseDurationMs: flags["leader-elect-lease-duration"],
    renewDeadlineMs: flags["leader-elect-renew-deadline"],
    retryPeriodMs: flags["leader-elect-retry-period"],
  });
  const leftMs = limitMs - (election?.renewalAgeMs() ?? limitMs);
  return {
    holder: term.identity,
    term: term.leaseTransitions,
    validUntil: Math.floor(clock.now() + leftMs),
  };
}

/** Fences of a process that only reads. */
export const NEVER_WRITE: Fences = {
  main: () => false,
  election: () => false,
  of: () => () => false,
  held: () => undefined,
};
