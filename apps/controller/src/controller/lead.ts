import type { Term } from "@cloudwright/core/kube/election";
import { runElection } from "@cloudwright/core/kube/election";
import { createEventRecorder, type EventRecorder } from "@cloudwright/core/kube/events";
import { type ClusterConnection, messageOf } from "./connect-cluster.ts";
import type { Foundation } from "./foundation.ts";
import type { ProcessState } from "./process-state.ts";

/** The Lease of a dry run (DESIGN.md "Dry run"). */
const SHADOW_LEASE = "cloudwright-shadow";
const EVENTS_DEADLINE_MS = 1_000;

export interface LeadershipOptions {
  readonly foundation: Foundation;
  readonly cluster: ClusterConnection;
  readonly state: ProcessState;
  /** Called when this process may write. */
  onLeading(term: Term): void;
}

export interface Leadership {
  /** Resolves when the lease was lost; never when it is given back, nor without election. */
  readonly lost: Promise<void>;
  /** Gives the lease back. Stop the work first. */
  stop(): Promise<void>;
}

/** Competes for the Lease, or leads at once with `--leader-elect=false`. */
export function seekLeadership(options: LeadershipOptions): Leadership {
  const { foundation, onLeading } = options;
  if (foundation.flags["leader-elect"]) return compete(options);
  onLeading({ identity: foundation.identity, leaseTransitions: 0 });
  return { lost: new Promise(() => {}), stop: () => Promise.resolve() };
}

/** The name of the Lease that this process competes for. */
export function leaseName({ flags }: Foundation): string {
  return flags["dry-run"] ? SHADOW_LEASE : flags["leader-elect-resource-name"];
}

function compete({ foundation, cluster, state, onLeading }: LeadershipOptions): Leadership {
  const { flags, identity, clock, random, log, metrics } = foundation;
  const name = leaseName(foundation);
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
      onLeading(term);
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
  state.election = election;
  return {
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
  { election }: ClusterConnection,
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
