import type { BalancerMember, BalancerOwner, LoadBalancerStatus } from "@cloudwright/provider-api";
import type { Json } from "../../model/json.ts";
import type { ObjectRef } from "../../model/object-ref.ts";
import type { Reason } from "../../model/reason.ts";
import type { MemberSet } from "./members/members.ts";

/** Of a Service whose last runs have failed, or whose last one was blocked. */
export interface Trouble {
  /** How many in a row. */
  readonly times: number;
  /** Of the last one; undefined when it was not the cloud that failed. */
  readonly reason: Reason | undefined;
}

/** What we know of a Service beside what the API server and the cloud keep; lost with the process, and then learnt anew. */
export interface ServiceMemory {
  /** Whether a balancer with its mark was seen, or may have been made. */
  mayHaveBalancer: boolean;
  /** At which addresses its own load balancer was seen last: nobody else's is looked for there. */
  places?: readonly string[];
  /** When the cloud was last asked for it, and by which run. */
  lookedAt?: number;
  lookedBy?: string;
  /** Members that the cloud would not take, by provider ID. */
  readonly refused: Map<string, { readonly message: string; readonly at: number }>;
  /** Whose addition or removal is reported by name: the members that were planned last. */
  members: readonly BalancerMember[];
  /** The nodes that the last run gave it, and that run: while others gather, what is at work goes on with them. */
  followed?: { readonly set: MemberSet; readonly runId: string };
  /** Which Events of a row that has begun were told. */
  told: { ensuring: boolean; deleting: boolean; withoutMembers: boolean };
  /** Undefined when the last run did all that was to be done. */
  trouble?: Trouble | undefined;
  /** The call to the cloud that failed last, and in which run. */
  failedCall?: { readonly reason: Reason; readonly runId: string };
  /** What the pages were shown last, for runs that do not ask the cloud. */
  detail?: Json;
  /** When something of its balancer was last changed by us. */
  changedAt?: number;
}

/** A Service that went without our finalizer: its balancer may still be there (spec/30 SW-4). */
export interface Remains {
  readonly owner: BalancerOwner;
  readonly object: ObjectRef;
  /** Where it said that it is reached. */
  readonly published: LoadBalancerStatus;
}

/** How many Services that are done with are remembered, so that their last echo is known. */
const DONE_KEPT = 10_000;

/** By UID, so that a Service made anew under an old name starts empty; the remains by key. */
export class ServiceMemories {
  readonly #byUid = new Map<string, ServiceMemory>();
  readonly #remains = new Map<string, readonly Remains[]>();
  readonly #done = new Set<string>();

  of(uid: string): ServiceMemory {
    const known = this.#byUid.get(uid);
    if (known !== undefined) return known;
    const fresh: ServiceMemory = {
      mayHaveBalancer: false,
      refused: new Map(),
      members: [],
      told: { ensuring: false, deleting: false, withoutMembers: false },
    };
    this.#byUid.set(uid, fresh);
    return fresh;
  }

  has(uid: string): boolean {
    return this.#byUid.has(uid);
  }

  mayHaveBalancer(uid: string): boolean {
    return this.#byUid.get(uid)?.mayHaveBalancer ?? false;
  }

  placesOf(uid: string): readonly string[] | undefined {
    return this.#byUid.get(uid)?.places;
  }

  isInTrouble(uid: string): boolean {
    return this.#byUid.get(uid)?.trouble !== undefined;
  }

  forget(uid: string): void {
    this.#byUid.delete(uid);
  }

  /** Nothing of it is left in the cloud. */
  done(uid: string): void {
    this.#done.add(uid);
    const [oldest] = this.#done;
    if (this.#done.size > DONE_KEPT && oldest !== undefined) this.#done.delete(oldest);
  }

  undone(uid: string): void {
    this.#done.delete(uid);
  }

  isDone(uid: string): boolean {
    return this.#done.has(uid);
  }

  remainsOf(key: string): readonly Remains[] {
    return this.#remains.get(key) ?? [];
  }

  /** The keys under which something may be left. */
  get keysOfRemains(): readonly string[] {
    return [...this.#remains.keys()];
  }

  /** Whether a Service with this UID went and what it left is being seen to. */
  isRemembered(uid: string): boolean {
    return [...this.#remains.values()].flat().some(({ owner }) => owner.objectUid === uid);
  }

  leave(key: string, remains: Remains): void {
    const others = this.#othersOf(key, remains.owner.objectUid);
    this.#remains.set(key, [...others, remains]);
  }

  cleared(key: string, uid: string): void {
    const others = this.#othersOf(key, uid);
    if (others.length === 0) this.#remains.delete(key);
    else this.#remains.set(key, others);
    this.forget(uid);
    this.done(uid);
  }

  #othersOf(key: string, uid: string): readonly Remains[] {
    return this.remainsOf(key).filter(({ owner }) => owner.objectUid !== uid);
  }
}
