import { objectName } from "../../model/object-ref.ts";
import type { Clock } from "../../model/time.ts";
import type { Effects } from "../../reconcile/effects.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import type { OrphanSightings } from "../../reconcile/orphan-sightings.ts";
import { DepartedServices, ReleasedServices } from "./departed.ts";
import { NodeSyncs, type NodeWave } from "./members/node-wave.ts";
import type { ServiceMemory } from "./memory.ts";
import { NODE_SYNC_SECONDS } from "./metrics.ts";
import { Orphans } from "./orphans/orphans.ts";

export interface ServiceKnowledgeOptions {
  /** Since when earlier leaders have seen load balancers without a Service. */
  readonly sightings: OrphanSightings;
  readonly clock: Clock;
  readonly effects: Effects;
}

/**
 * What concerns many Services: caches of what the informers and the listings of the cloud have shown. What feeds the queue and the
 * ends of runs change them; `observe` reads them.
 */
export class ServiceKnowledge {
  readonly departed: DepartedServices = new DepartedServices();
  readonly released: ReleasedServices = new ReleasedServices();
  readonly orphans: Orphans;
  /** UIDs of Services that are to have no load balancer, and of which the last listing showed one. */
  readonly unwanted: Set<string> = new Set();
  readonly wave: NodeWave = { isGathering: false };
  readonly syncs: NodeSyncs;

  constructor({ sightings, clock, effects }: ServiceKnowledgeOptions) {
    this.orphans = new Orphans(sightings);
    this.syncs = new NodeSyncs(clock, (value) =>
      effects.emit({ kind: "metric", name: NODE_SYNC_SECONDS, value }),
    );
  }

  /** A run has ended, and this is what it has left to remember. */
  ended({ object, state, reason }: RunOutcome, memory: ServiceMemory): void {
    if (object.kind === "LoadBalancer") {
      if (state === "gone") this.orphans.forget(object.name);
      return;
    }
    const key = objectName(object);
    this.syncs.ended(key);
    this.departed.cleared(key, memory.cleared);
    const isUnwanted = reason.code === "ServiceUnwanted";
    if (isUnwanted && !memory.mayHaveBalancer) this.unwanted.delete(object.uid ?? "");
  }
}
