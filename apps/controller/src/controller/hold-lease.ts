import { type Election, runElection, type Term } from "@cloudwright/core/kube/election";
import { createEventRecorder, type EventRecorder } from "@cloudwright/core/kube/events";
import { type ClusterConnection, messageOf } from "./connect-cluster.ts";
import type { Foundation } from "./foundation.ts";

export interface LeaseWish {
  readonly foundation: Foundation;
  readonly cluster: Pick<ClusterConnection, "election">;
  /** The Lease's name. */
  readonly name: string;
  /** Called when it is held. */
  onHeld(term: Term): void;
}

/** A Lease that is competed for or held. */
export interface HeldLease {
  readonly election: Election;
  /** Resolves when it was lost; never when it is given back. */
  readonly lost: Promise<void>;
  /** Gives it back. Stop the work first. */
  stop(): Promise<void>;
}

const EVENTS_DEADLINE_MS = 1_000;

/** Competes for a Lease with the timings and in the namespace of the flags, until it is lost or given back. */
export function holdLease(wish: LeaseWish): HeldLease {
  const { foundation, cluster, name, onHeld } = wish;
  const { flags, identity, clock, random, log, metrics } = foundation;
  const events = electionEvents(foundation, cluster);
  let tellLost: () => void = () => {};
  const lost = new Promise<void>((resolve) => {
    tellLost = resolve;
  });
  metrics.process.leads(name, false);
  const election = runElection({
    client: cluster.election,
    namespace: flags["leader-elect-resource-namespace"],
    name,
    identity,
    timings: {
      leaseDurationMs: flags["leader-elect-lease-duration"],
      renewDeadlineMs: flags["leader-elect-renew-deadline"],
      retryPeriodMs: flags["leader-elect-retry-period"],
    },
    clock,
    random,
    ...(events === undefined ? {} : { events }),
    onStartedLeading: (term) => {
      metrics.process.leads(name, true);
      log.info({ lease: name, identity, transitions: term.leaseTransitions }, "This process leads");
      onHeld(term);
    },
    onStoppedLeading: (reason) => {
      metrics.process.leads(name, false);
      log.info({ lease: name, reason }, "This process leads no more");
      if (reason !== "released") tellLost();
    },
    onNewLeader: (leader) => log.info({ lease: name, leader }, "The Lease has a holder"),
    onError: (error) =>
      log.warn({ lease: name, error: messageOf(error) }, "The Lease could not be had"),
    onSlowPath: () => metrics.process.slowPath(name),
  });
  return {
    election,
    lost,
    stop: async () => {
      await election.stop();
      await events?.flush(EVENTS_DEADLINE_MS);
    },
  };
}

/** A dry run records no event. */
function electionEvents(
  { flags, clock, random, identity }: Foundation,
  { election }: LeaseWish["cluster"],
): EventRecorder | undefined {
  if (flags["dry-run"]) return undefined;
  return createEventRecorder({
    client: election,
    source: "cloud-controller-manager",
    instance: identity,
    clock,
    random,
  });
}
