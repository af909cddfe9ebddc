import type { OwnedLoadBalancer } from "@cloudwright/provider-api";
import type { ObjectRef } from "../../../model/object-ref.ts";
import type { OrphanSighting, OrphanSightings } from "./sightings.ts";

/** A load balancer of this cluster without a Service. */
export interface Orphan {
  readonly owned: OwnedLoadBalancer;
  /** Milliseconds since the epoch. */
  readonly firstSeenAt: number;
}

const PREFIX = "orphan:";

/** The key of an orphan in the service loop's queue. */
export function orphanKey(id: string): string {
  return `${PREFIX}${id}`;
}

/** The load balancer's id when the key is an orphan's. No namespace has a colon in its name. */
export function orphanIdOf(key: string): string | undefined {
  return key.startsWith(PREFIX) ? key.slice(PREFIX.length) : undefined;
}

/** Returns the reference: a load balancer has no UID in the cluster, so its id is used instead. */
export function orphanRef(id: string): ObjectRef {
  return { kind: "LoadBalancer", name: id, uid: id };
}

/**
 * The orphans in the last listing, and since when they have been so, which is remembered for later leaders. The code that feeds
 * the queue owns them.
 */
export class Orphans {
  readonly #sightings: OrphanSightings;
  readonly #byId = new Map<string, Orphan>();

  constructor(sightings: OrphanSightings) {
    this.#sightings = sightings;
  }

  get(id: string): Orphan | undefined {
    return this.#byId.get(id);
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys()];
  }

  get count(): number {
    return this.#byId.size;
  }

  /** Replaces the orphans with a listing's; returns the ids of new ones and of those that no longer are orphans. */
  replace(owned: readonly OwnedLoadBalancer[], now: number): readonly string[] {
    const remembered = this.#remembered();
    const ids = new Set(owned.map(({ facts }) => facts.id));
    const gone = [...this.#byId.keys()].filter((id) => !ids.has(id));
    for (const id of gone) this.#byId.delete(id);
    const news = owned.filter(({ facts }) => !this.#byId.has(facts.id));
    for (const one of owned) {
      const known = this.#byId.get(one.facts.id);
      this.#byId.set(one.facts.id, {
        owned: one,
        firstSeenAt: known?.firstSeenAt ?? sinceOf(one, remembered, now),
      });
    }
    this.#sightings.keep([...this.#byId.values()].map(sightingOf));
    return [...gone, ...news.map(({ facts }) => facts.id)];
  }

  forget(id: string): void {
    this.#byId.delete(id);
  }

  /** Returns since when earlier leaders have seen them, by load balancer and Service. */
  #remembered(): ReadonlyMap<string, number> {
    return new Map(
      this.#sightings.known.map(({ id, serviceUid, since }) => [wordOf(id, serviceUid), since]),
    );
  }
}

/** Never in the future, in case an earlier leader's clock was ahead. */
function sinceOf(
  { facts, owner: mark }: OwnedLoadBalancer,
  remembered: ReadonlyMap<string, number>,
  now: number,
): number {
  return Math.min(remembered.get(wordOf(facts.id, mark.objectUid)) ?? now, now);
}

function wordOf(id: string, serviceUid: string): string {
  return `${serviceUid} ${id}`;
}

function sightingOf({ owned: { facts, owner: mark }, firstSeenAt }: Orphan): OrphanSighting {
  return { id: facts.id, serviceUid: mark.objectUid, since: firstSeenAt };
}
