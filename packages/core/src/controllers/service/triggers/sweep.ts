import type { OwnedLoadBalancer } from "@cloudwright/provider-api";
import type { Service } from "../../../kube/client.ts";
import type { Informer } from "../../../kube/informer/informer-port.ts";
import type { Clock } from "../../../model/time.ts";
import type { LiveValue } from "../../../model/values/live-value.ts";
import { uidOf } from "../../objects/object-meta.ts";
import { isClassServed, purposeOf, type ServedClasses } from "../desired/purpose.ts";
import type { ServiceLastSeen } from "../last-seen.ts";
import { SERVICES_BY_UID } from "../orphans/observe.ts";
import { orphanKey } from "../orphans/orphans.ts";
import { keyOf } from "../service-object.ts";

export interface SweepOptions {
  /** Must be created with `SERVICE_INDEXES`. */
  readonly services: Pick<Informer<Service>, "byIndex">;
  readonly lastSeen: ServiceLastSeen;
  readonly served: ServedClasses;
  readonly clock: Clock;
  /** How long a deleted Service counts as existing, as its load balancer is being removed, in milliseconds. */
  readonly goneFor: LiveValue<number>;
}

/** The news in a listing of all load balancers of this cluster. */
export interface SweepNews {
  /** Keys of Services that have a load balancer of ours and must have none. */
  readonly unwanted: readonly string[];
  /** Keys of orphans that are new, or are no longer orphans. */
  readonly orphans: readonly string[];
}

/** Separates load balancers with a Service from those without one (spec/30 SW-4, SW-6). */
export class LoadBalancerSweep {
  readonly #options: SweepOptions;
  /** When Services were deleted, by UID. */
  readonly #goneAt = new Map<string, number>();

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** The Service was deleted. */
  gone(uid: string): void {
    this.#goneAt.set(uid, this.#options.clock.now());
  }

  /** What was created for a class that is not ours is left to the controller that serves it, with its Service or without. */
  heed(owned: readonly OwnedLoadBalancer[]): SweepNews {
    const { lastSeen, clock, served } = this.#options;
    this.#forgetLongGone();
    const ours = owned.filter(({ facts }) => isClassServed(facts.loadBalancerClass, served));
    const orphans = ours.filter(({ owner: mark }) => !this.#isThere(mark.objectUid));
    const ids = lastSeen.orphans.replace(orphans, clock.now());
    return { unwanted: this.#unwanted(ours), orphans: ids.map(orphanKey) };
  }

  #isThere(uid: string): boolean {
    if (this.#options.services.byIndex(SERVICES_BY_UID, uid).length > 0) return true;
    return this.#goneAt.has(uid) || this.#options.lastSeen.departed.has(uid);
  }

  #unwanted(owned: readonly OwnedLoadBalancer[]): readonly string[] {
    const { services, lastSeen, served } = this.#options;
    const found = owned.flatMap(({ owner: mark }) =>
      services.byIndex(SERVICES_BY_UID, mark.objectUid),
    );
    const unwanted = found.filter(
      (service) => purposeOf(service, { ...served, mayHaveLoadBalancer: false }).kind === "leave",
    );
    lastSeen.unwanted.clear();
    for (const service of unwanted) lastSeen.unwanted.add(uidOf(service));
    return unwanted.map(keyOf);
  }

  #forgetLongGone(): void {
    const { clock, goneFor } = this.#options;
    for (const [uid, at] of this.#goneAt) {
      if (clock.now() - at > goneFor.value) this.#goneAt.delete(uid);
    }
  }
}
