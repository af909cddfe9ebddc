import type { Term } from "@cloudwright/core/kube/lease/election";
import type { ClusterConnection } from "../../wiring/cluster/connect-cluster.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { ProcessState } from "../process-state.ts";
import { type HeldLease, holdLease } from "./hold-lease.ts";

/** The Lease of a dry run (DESIGN.md "Dry run"). */
const SHADOW_LEASE = "cloudwright-shadow";

export interface LeadershipOptions {
  readonly processContext: ProcessContext;
  readonly cluster: Pick<ClusterConnection, "election">;
  readonly state: Pick<ProcessState, "election" | "migration">;
  /** Name of the second Lease, for controllers that move between processes. */
  readonly migrationLease: string | undefined;
  /** Called when this process may write. */
  onLeading(term: Term): void;
  /** Called when the second Lease is held as well. */
  onMigrating(): void;
}

export interface Leadership {
  /** Resolves with a lost Lease's description; never when it is given back, nor without election. */
  readonly lost: Promise<string>;
  /** Gives the leases back. Stop the work first. */
  stop(): Promise<void>;
}

/**
 * Competes for the Lease, or leads at once with `--leader-elect=false`. The second Lease is tried only while the main one
 * is held, and the loss of either is the loss of all (spec/00 §10).
 */
export function seekLeadership(options: LeadershipOptions): Leadership {
  const { processContext, onLeading } = options;
  if (processContext.flags["leader-elect"]) return compete(options);
  onLeading({ identity: processContext.identity, leaseTransitions: 0 });
  return { lost: new Promise(() => {}), stop: () => Promise.resolve() };
}

/** The name of the Lease that this process competes for. */
export function leaseName({ flags }: Pick<ProcessContext, "flags">): string {
  return flags["dry-run"] ? SHADOW_LEASE : flags["leader-elect-resource-name"];
}

/** Where a Lease of this process is, `namespace/name`, as heartbeats tell it. */
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
