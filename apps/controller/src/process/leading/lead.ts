import { handOver } from "@cloudwright/core/kube/access/handed-access";
import { createEventRecorder, type EventRecorder } from "@cloudwright/core/kube/events/events";
import type { Election, Term } from "@cloudwright/core/kube/lease/election";
import { leaseThreads, runThreadedElection } from "@cloudwright/core/kube/lease/threaded-election";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { USER_AGENT } from "../../version.ts";
import type { ClusterConnection } from "../../wiring/cluster/connect-cluster.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { ProcessState } from "../process-state.ts";

/** The Lease of a dry run (DESIGN.md "Dry run"). */
export const SHADOW_LEASE = "cloudwright-shadow";

export interface LeadershipOptions {
  readonly processContext: ProcessContext;
  readonly cluster: Pick<ClusterConnection, "access" | "election">;
  readonly state: Pick<ProcessState, "election" | "migration">;
  /** Name of the second Lease, for controllers that migrate between processes. */
  readonly migrationLease: string | undefined;
  /** Called when this process may write. */
  onLeading(term: Term): void;
  /** Called when the second Lease is held as well. */
  onMigrating(): void;
}

export interface Leadership {
  /** Resolves with a description of the lost Lease; never resolves after a release, nor without election. */
  readonly lost: Promise<string>;
  /** Releases the Leases. Stop the work first. */
  stop(): Promise<void>;
}

/**
 * Competes for the Lease, or leads immediately with `--leader-elect=false`. The second Lease is only tried while the main one is
 * held, and losing either means losing both (spec/00 §10).
 */
export function seekLeadership(options: LeadershipOptions): Leadership {
  const { processContext, onLeading } = options;
  if (processContext.flags["leader-elect"]) return compete(options);
  onLeading({ identity: processContext.identity, leaseTransitions: 0 });
  return { lost: new Promise(() => {}), stop: () => Promise.resolve() };
}

/** Returns the name of the Lease that this process competes for. */
export function leaseName({ flags }: Pick<ProcessContext, "flags">): string {
  return flags["dry-run"] ? SHADOW_LEASE : flags["leader-elect-resource-name"];
}

/** Returns the place of a Lease, `namespace/name`, as heartbeats report it. */
export function leasePlace({ flags }: Pick<ProcessContext, "flags">, name: string): string {
  return `${flags["leader-elect-resource-namespace"]}/${name}`;
}

function compete(options: LeadershipOptions): Leadership {
  const { processContext, cluster, state, migrationLease, onLeading, onMigrating } = options;
  let reportLost: (what: string) => void = () => {};
  const lost = new Promise<string>((resolve) => {
    reportLost = resolve;
  });
  let second: HeldLease | undefined;
  const main = holdLease({
    processContext,
    cluster,
    name: leaseName(processContext),
    onHeld: (term) => {
      onLeading(term);
      if (migrationLease === undefined) return;
      second = holdLease({ processContext, cluster, name: migrationLease, onHeld: onMigrating });
      state.migration = second.election;
      void second.lost.then(() =>
        reportLost(`the Lease ${migrationLease} of the leader migration`),
      );
    },
  });
  state.election = main.election;
  void main.lost.then(() => reportLost("the Lease"));
  return {
    lost,
    stop: async () => {
      await Promise.all([second?.stop(), main.stop()]);
    },
  };
}

export interface LeaseOptions {
  readonly processContext: ProcessContext;
  readonly cluster: Pick<ClusterConnection, "access" | "election">;
  /** The Lease's name. */
  readonly name: string;
  /** Called when it is held. */
  onHeld(term: Term): void;
}

/** A Lease that is competed for or held. */
export interface HeldLease {
  readonly election: Election;
  /** Resolves when it is lost; never after a release. */
  readonly lost: Promise<void>;
  /** Releases it. Stop the work first. */
  stop(): Promise<void>;
}

const EVENTS_DEADLINE_MS = 1_000;

/** Competes for a Lease, with the timings and the namespace from the flags, until it is lost or released. */
function holdLease(options: LeaseOptions): HeldLease {
  const { processContext, cluster, name, onHeld } = options;
  const { flags, identity, clock, log, metrics } = processContext;
  const events = electionEvents(processContext, cluster);
  let reportLost: () => void = () => {};
  const lost = new Promise<void>((resolve) => {
    reportLost = resolve;
  });
  metrics.process.leads(name, false);
  const { kubeconfig, master } = flags;
  const handed = handOver(cluster.access);
  const election = runThreadedElection({
    startThread: leaseThreads({ kubeconfig, master, userAgent: USER_AGENT, handed }),
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

/** A dry run records no Events. */
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
