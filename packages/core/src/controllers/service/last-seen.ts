import type { LoadBalancerOwner, LoadBalancerStatus } from "@cloudwright/provider-api";
import { type ObjectRef, objectName } from "../../model/object-ref.ts";
import type { Clock } from "../../model/time.ts";
import type { Effects } from "../../reconcile/effects.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import type { GaugeValue } from "../controller-module.ts";
import { NodeSyncs, type NodeWave } from "./members/node-wave.ts";
import type { HealthCounts, ServiceMemory } from "./memory.ts";
import { NODE_SYNC_SECONDS } from "./metrics.ts";
import { Orphans } from "./orphans/orphans.ts";
import type { OrphanSightings } from "./orphans/sightings.ts";

export interface ServiceLastSeenOptions {
  /** Since when load balancers have had no Service, as seen by earlier leaders. */
  readonly sightings: OrphanSightings;
  readonly clock: Clock;
  readonly effects: Effects;
}

/**
 * State that concerns many Services: caches of what the informers and the listings of the cloud have shown. The code that feeds
 * the queue and the ends of runs update it; `observe` reads it.
 */
export class ServiceLastSeen {
  readonly departed: DepartedServices = new DepartedServices();
  readonly released: ReleasedServices = new ReleasedServices();
  readonly orphans: Orphans;
  /** UIDs of Services that must have no load balancer, but had one in the last listing. */
  readonly unwanted: Set<string> = new Set();
  readonly health: MemberHealth = new MemberHealth();
  readonly wave: NodeWave = { isGathering: false };
  readonly syncs: NodeSyncs;

  constructor({ sightings, clock, effects }: ServiceLastSeenOptions) {
    this.orphans = new Orphans(sightings);
    this.syncs = new NodeSyncs(clock, (value) =>
      effects.emit({ kind: "metric", name: NODE_SYNC_SECONDS, value }),
    );
  }

  /** A run has ended and left this memory. */
  ended({ object, state, reason }: RunOutcome, memory: ServiceMemory): void {
    if (object.kind === "LoadBalancer") {
      if (state === "gone") this.orphans.forget(object.name);
      return;
    }
    const key = objectName(object);
    this.syncs.ended(key);
    this.departed.cleared(key, memory.cleared);
    this.health.seen(key, memory.health);
    const isUnwanted = reason.code === "ServiceUnwanted";
    if (isUnwanted && !memory.mayHaveLoadBalancer) this.unwanted.delete(object.uid ?? "");
  }
}

/**
 * How many members of each Service's load balancer are in which state, in the cloud's words, as its last run has
 * seen them.
 */
class MemberHealth {
  readonly #byKey = new Map<string, HealthCounts>();

  seen(key: string, counts: HealthCounts): void {
    if (counts.size === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, counts);
  }

  get gauges(): readonly GaugeValue[] {
    return [...this.#byKey].flatMap(([service, counts]) =>
      [...counts].map(([health, value]) => ({ value, labels: { service, health } })),
    );
  }
}

/** A Service deleted without our finalizer: its load balancer may still exist (spec/30 SW-4). */
export interface Departed {
  readonly owner: LoadBalancerOwner;
  readonly object: ObjectRef;
  /** Its published addresses. */
  readonly published: LoadBalancerStatus;
}

/** The deleted Services that may have left something in the cloud, by key; the code that feeds the queue owns them. */
export class DepartedServices {
  readonly #byKey = new Map<string, readonly Departed[]>();

  of(key: string): readonly Departed[] {
    return this.#byKey.get(key) ?? NONE;
  }

  /** The keys under which something may remain. */
  get keys(): readonly string[] {
    return [...this.#byKey.keys()];
  }

  has(uid: string): boolean {
    return [...this.#byKey.values()].flat().some(({ owner }) => owner.objectUid === uid);
  }

  add(key: string, departed: Departed): void {
    this.#byKey.set(key, [...this.#others(key, [departed.owner.objectUid]), departed]);
  }

  /** Nothing of these Services remains. */
  cleared(key: string, uids: readonly string[]): void {
    if (uids.length === 0) return;
    const others = this.#others(key, uids);
    if (others.length === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, others);
  }

  #others(key: string, uids: readonly string[]): readonly Departed[] {
    return this.of(key).filter(({ owner }) => !uids.includes(owner.objectUid));
  }
}

const NONE: readonly Departed[] = [];

/** How many Services from which our finalizer was removed are remembered. */
const RELEASED_KEPT = 10_000;

/**
 * UIDs of the Services from which this process has removed our finalizer, and for which it has written nothing to the cloud
 * since: their deletion leaves nothing behind. The writes own it.
 */
export class ReleasedServices {
  readonly #uids = new Set<string>();

  add(uid: string): void {
    this.#uids.add(uid);
    const [oldest] = this.#uids;
    if (this.#uids.size > RELEASED_KEPT && oldest !== undefined) this.#uids.delete(oldest);
  }

  delete(uid: string): void {
    this.#uids.delete(uid);
  }

  has(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
