import type { OwnedLoadBalancer } from "@cloudwright/provider-api";
import type { Node, Service } from "../../../kube/client.ts";
import type { Informer, InformerEvent } from "../../../kube/informer/informer-port.ts";
import type { Trigger } from "../../../model/run.ts";
import type { Clock } from "../../../model/time.ts";
import type { LiveValue } from "../../../model/values/live-value.ts";
import { type Backoff, CLEANUP_BACKOFF, SERVICE_BACKOFF } from "../../../queue/backoff.ts";
import type { WorkQueue } from "../../../queue/port.ts";
import { everyPeriod, type Pace } from "../../../reconcile/every-period.ts";
import type { ReadMemoryStore } from "../../../reconcile/memory-store.ts";
import { uidOf } from "../../objects/object-meta.ts";
import { isOfOurs, needsCleanup, type Purpose, purposeOf } from "../desired/purpose.ts";
import type { ServiceLastSeen } from "../last-seen.ts";
import { memberSignature, membershipOf } from "../members/members.ts";
import { MemberChanges } from "../members/node-wave.ts";
import { NO_MEMORY, type ServiceMemory } from "../memory.ts";
import type { ServicePolicy } from "../observed.ts";
import type { ServiceReconciler } from "../reconciler.ts";
import {
  type ClusterIdentity,
  conditionOf,
  keyOf,
  ownerOf,
  publishedBy,
  publishesOnly,
  refOf,
} from "../service-object.ts";
import { LoadBalancerSweep } from "./sweep.ts";
import { changedFields, NODES_CHANGED, OTHER_ANNOTATIONS, type ProviderReads } from "./triggers.ts";

export interface ServiceControllerOptions {
  /** Must be created with `SERVICE_INDEXES`. */
  readonly services: Informer<Service>;
  readonly nodes: Informer<Node>;
  /** Must merge its triggers with `closestObservation`. */
  readonly queue: Pick<WorkQueue<Trigger>, "add">;
  readonly reconciler: Pick<ServiceReconciler, "stop">;
  readonly lastSeen: ServiceLastSeen;
  readonly memoryStore: ReadMemoryStore<ServiceMemory>;
  readonly cluster: ClusterIdentity;
  readonly policy: ServicePolicy;
  /** How often all load balancers are compared, in milliseconds. */
  readonly period: LiveValue<number>;
  readonly pace?: Pace | undefined;
  /** What the provider reads. */
  readonly abilities: ProviderReads;
  readonly clock: Clock;
  /** Lists all load balancers that belong to this cluster. Throws ProviderError. */
  owned(signal: AbortSignal): Promise<readonly OwnedLoadBalancer[]>;
  /** Called after each listing that has shown which load balancers are orphans. */
  onListed?(): void;
  /** Called when a listing failed; the next period lists again. */
  onError(error: unknown): void;
}

/**
 * Feeds the service loop's queue: every Service of ours at the start, each that changes in a way that matters, all when
 * nodes come or go, and all once a drift period, together with the load balancers that have no Service. Returns a function
 * that stops this.
 */
export function startServiceController(options: ServiceControllerOptions): () => void {
  const { services, nodes } = options;
  const feed = new Feed(options);
  const unsubscribe = [
    services.subscribe((event) => feed.heedService(event)),
    nodes.subscribe((event) => feed.heedNode(event)),
  ];
  void Promise.all([services.synced, nodes.synced]).then(() => feed.start());
  return () => {
    for (const end of unsubscribe) end();
    feed.stop();
    options.reconciler.stop();
  };
}

class Feed {
  readonly #options: ServiceControllerOptions;
  readonly #sweep: LoadBalancerSweep;
  readonly #memberChanges: MemberChanges;
  readonly #stopped = new AbortController();
  #stopComparing: () => void = () => undefined;

  constructor(options: ServiceControllerOptions) {
    const { services, lastSeen, clock, policy, period } = options;
    this.#options = options;
    this.#memberChanges = new MemberChanges({
      clock,
      wave: lastSeen.wave,
      act: () => this.#followNodes(),
    });
    this.#sweep = new LoadBalancerSweep({
      services,
      lastSeen,
      served: policy,
      clock,
      goneFor: period,
    });
  }

  start(): void {
    if (this.#stopped.signal.aborted) return;
    const { queue } = this.#options;
    for (const service of this.#concerned()) {
      // A Service with an address can wait for those that have none.
      const isServed = publishedBy(service).ingress.length > 0;
      const isUrgent = !isServed || this.#purposeOf(service).kind === "remove";
      queue.add(keyOf(service), { kind: "start" }, isUrgent ? "change" : "background");
    }
    void this.#observe();
    this.#stopComparing = everyPeriod(this.#options, () => this.#compareAll());
  }

  stop(): void {
    this.#stopped.abort();
    this.#memberChanges.stop();
    this.#stopComparing();
  }

  heedService(event: InformerEvent<Service>): void {
    const { queue } = this.#options;
    const key = keyOf(event.object);
    if (event.kind === "deleted") {
      this.#heedDeletion(event.object);
    } else if (event.kind === "updated") {
      if (uidOf(event.old) !== uidOf(event.object)) this.#heedDeletion(event.old);
      const fields = changedFields(event.old, event.object, this.#options.abilities);
      if (!this.#matters(fields, event.object) || !this.#isConcerned(event.object)) return;
      queue.add(key, { kind: "change", what: fields.join(", ") }, "change");
    } else if (!event.initial && this.#isConcerned(event.object)) {
      queue.add(key, { kind: "change", what: "created" }, "change");
    }
  }

  /**
   * A field that nobody reads does not matter to a healthy Service, but gives one that is failing, or that does not publish its
   * load balancer's address, another chance (spec/30 SW-15).
   */
  #matters(fields: readonly string[], service: Service): boolean {
    if (fields.every((field) => field === OTHER_ANNOTATIONS)) {
      const { trouble, places } = this.#memoryOf(service);
      return fields.length > 0 && (trouble !== undefined || !publishesOnly(service, places));
    }
    return true;
  }

  heedNode(event: InformerEvent<Node>): void {
    if (this.#movesMember(event)) this.#memberChanges.note();
  }

  #movesMember(event: InformerEvent<Node>): boolean {
    if (event.kind !== "updated") {
      const isInitial = event.kind === "added" && event.initial;
      return !isInitial && membershipOf(event.object).isEligible;
    }
    const { old, object } = event;
    return uidOf(old) !== uidOf(object) || memberSignature(old) !== memberSignature(object);
  }

  /** A Service deleted without our finalizer may have left its load balancer behind (spec/30 SW-4). */
  #heedDeletion(service: Service): void {
    const { queue, cluster, policy, lastSeen } = this.#options;
    const { departed, released, unwanted } = lastSeen;
    const uid = uidOf(service);
    const key = keyOf(service);
    const memory = this.#memoryOf(service);
    this.#sweep.gone(uid);
    const isReleased = released.has(uid);
    const mayHaveLeft =
      isOfOurs(service, policy) || memory.mayHaveLoadBalancer || unwanted.has(uid);
    if (mayHaveLeft && !isReleased) {
      const owner = ownerOf(service, cluster, memory.places);
      departed.add(key, { owner, object: refOf(service), published: publishedBy(service) });
    }
    if (mayHaveLeft || memory !== NO_MEMORY || isReleased) {
      queue.add(key, { kind: "change", what: "deleted" }, "change");
    }
  }

  #followNodes(): void {
    const served = this.#concerned().filter((service) => this.#purposeOf(service).kind === "serve");
    const keys = served.map(keyOf);
    this.#options.lastSeen.syncs.begin(keys);
    this.#addInPortions(keys);
  }

  /** The first portion's writes are sent before the others are planned, rather than after all of them. */
  #addInPortions(keys: readonly string[]): void {
    const { queue, clock } = this.#options;
    if (this.#stopped.signal.aborted) return;
    for (const key of keys.slice(0, PORTION)) queue.add(key, NODES_CHANGED, "change");
    if (keys.length > PORTION) clock.after(0, () => this.#addInPortions(keys.slice(PORTION)));
  }

  #compareAll(): void {
    const { queue, lastSeen } = this.#options;
    // Remains may be removed by somebody else, as beside a dry run: that is noticed here at the
    // latest.
    for (const key of new Set([...this.#concerned().map(keyOf), ...lastSeen.departed.keys])) {
      queue.add(key, { kind: "period" }, "background");
    }
    void this.#observe();
  }

  /** Lists all our load balancers, to find those that have no Service, or one that must have none. */
  async #observe(): Promise<void> {
    const { queue, owned, onListed, onError } = this.#options;
    const { signal } = this.#stopped;
    try {
      const news = this.#sweep.heed(await owned(signal));
      if (signal.aborted) return;
      onListed?.();
      for (const key of news.unwanted) queue.add(key, UNWANTED, "change");
      for (const key of news.orphans) queue.add(key, { kind: "period" }, "background");
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  #concerned(): readonly Service[] {
    return this.#options.services.list().filter((service) => this.#isConcerned(service));
  }

  #isConcerned(service: Service): boolean {
    const purpose = this.#purposeOf(service);
    if (purpose.kind !== "leave") return true;
    const hasCondition = purpose.why === "type" && conditionOf(service) !== null;
    return hasCondition || this.#memoryOf(service) !== NO_MEMORY;
  }

  #purposeOf(service: Service): Purpose {
    const { policy, lastSeen } = this.#options;
    const isKnown = this.#memoryOf(service).mayHaveLoadBalancer;
    const mayHaveLoadBalancer = isKnown || lastSeen.unwanted.has(uidOf(service));
    return purposeOf(service, { ...policy, mayHaveLoadBalancer });
  }

  #memoryOf(service: Service): ServiceMemory {
    return this.#options.memoryStore.of(keyOf(service), uidOf(service));
  }
}

const PORTION = 32;

const UNWANTED: Trigger = { kind: "change", what: "its load balancer, which is not needed" };

/** Returns the backoff of each key of the service loop. */
export function backoffOfServices(
  services: Pick<Informer<Service>, "get">,
): (key: string) => Backoff {
  return (key) => {
    const service = services.get(key);
    return service !== undefined && needsCleanup(service) ? CLEANUP_BACKOFF : SERVICE_BACKOFF;
  };
}
