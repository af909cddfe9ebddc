import { createEventRecorder, type EventRecorder } from "@cloudwright/core/kube/events/events";
import type { Election, Term } from "@cloudwright/core/kube/lease/election";
import { leaseThreads, runThreadedElection } from "@cloudwright/core/kube/lease/threaded-election";
import { USER_AGENT } from "../../version.ts";
import { type ClusterConnection, messageOf } from "../../wiring/cluster/connect-cluster.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";

export interface LeaseOptions {
  readonly processContext: ProcessContext;
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
export function holdLease(options: LeaseOptions): HeldLease {
  const { processContext, cluster, name, onHeld } = options;
  const { flags, identity, clock, log, metrics } = processContext;
  const events = electionEvents(processContext, cluster);
  let reportLost: () => void = () => {};
  const lost = new Promise<void>((resolve) => {
    reportLost = resolve;
  });
  metrics.process.leads(name, false);
  const { kubeconfig, master } = flags;
  const election = runThreadedElection({
    startThread: leaseThreads({ kubeconfig, master, userAgent: USER_AGENT }),
    namespace: flags["leader-elect-resource-namespace"],
    name,
    identity,
    timings: {
      leaseDurationMs: flags["leader-elect-lease-duration"],
      renewDeadlineMs: flags["leader-elect-renew-deadline"],
      retryPeriodMs: flags["leader-elect-retry-period"],
    },
    clock,
    ...(events === undefined ? {} : { events }),
    onCall: metrics.kube,
    onLookup: metrics.kubeNames,
    onStartedLeading: (term) => {
      metrics.process.leads(name, true);
      log.info(
        { lease: name, identity, transitions: term.leaseTransitions },
        "This process is now the leader",
      );
      onHeld(term);
    },
    onStoppedLeading: (reason) => {
      metrics.process.leads(name, false);
      log.info({ lease: name, reason }, "This process is no longer the leader");
      if (reason !== "released") reportLost();
    },
    onHolder: (leader) => {
      if (leader !== "") log.info({ lease: name, leader }, "The Lease has a holder");
    },
    onError: (error) =>
      log.warn({ lease: name, error: messageOf(error) }, "Could not acquire or renew the Lease"),
    onRenewed: (renewal) => metrics.process.renewed(name, renewal),
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
  { flags, clock, random, identity }: ProcessContext,
  { election }: LeaseOptions["cluster"],
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
