import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "@cloudwright/core/model/values/json";
import { apiError, invalidField } from "../http/api-error.ts";
import { Collection, type CollectionRecord, type Entry } from "../state/collection.ts";
import {
  type LoadBalancerCreation,
  type LoadBalancerEdit,
  type OverriddenStatus,
  type StoredLoadBalancer,
  storedLoadBalancerSchema,
} from "./load-balancer.ts";
import { LoadBalancerAddresses } from "./load-balancer-addresses.ts";

export interface LoadBalancerStoreOptions {
  readonly persist: (record: CollectionRecord) => Promise<void>;
  /** Returns how long a change of a load balancer takes, in milliseconds; called at each change. */
  readonly provisioningMs: () => number;
  /** Returns the most load balancers; called at each creation. */
  readonly quota: () => number;
  /** Returns the machine's id as the cloud itself stores it; undefined for a missing machine. */
  readonly machineId: (id: string) => string | undefined;
  readonly isMachinesAddress: (address: string) => boolean;
}

/** How long an `Idempotency-Key` is remembered (spec/70). */
const KEY_LIFE_MS = 3_600_000;

/**
 * All load balancers. A change is in progress until `dueAt`, which is checked, not waited for: every read or change first settles the
 * changes that are due, and a restart has the same result. Methods that change a load balancer resolve when the change is durable.
 */
export class LoadBalancerStore {
  readonly #options: LoadBalancerStoreOptions;
  readonly #addresses: LoadBalancerAddresses;
  readonly #loadBalancers: Collection<StoredLoadBalancer>;
  readonly #due = new Map<string, number>();

  constructor(options: LoadBalancerStoreOptions) {
    this.#options = options;
    this.#addresses = new LoadBalancerAddresses(options.isMachinesAddress);
    this.#loadBalancers = new Collection<StoredLoadBalancer>({
      name: "load-balancers",
      noun: "load balancer",
      read: (kept) => this.#shared(storedLoadBalancerSchema.parse(kept)),
      persist: options.persist,
      changed: (before, after) => this.#index(before, after),
    });
  }

  /** Returns the load balancers in order of creation. */
  entries(): Iterable<Entry<StoredLoadBalancer>> {
    this.#settle();
    return this.#loadBalancers.entries();
  }

  /** Returns a load balancer. Throws ApiError `not_found`. */
  get(id: string): StoredLoadBalancer {
    this.#settle();
    return this.#loadBalancers.get(id);
  }

  /**
   * Creates a load balancer, or returns the one that the same key created within the last hour. Throws ApiError `conflict` for a key that
   * came with another body or for a taken address, `quota_exceeded`, and `invalid` for a missing member.
   */
  async create(
    creation: LoadBalancerCreation,
    {
      key,
      told: overridden,
    }: { readonly key?: string | undefined; readonly told?: OverriddenStatus | undefined },
  ): Promise<{ readonly balancer: StoredLoadBalancer; readonly isNew: boolean }> {
    this.#settle();
    const body = digestOf(creation);
    const first = key === undefined ? undefined : this.#madeBy(key);
    if (first !== undefined) {
      requireSameBody(first, body);
      // Written again, so that this answer is as durable as the first one.
      return { balancer: await this.#loadBalancers.put(first), isNew: false };
    }
    const { requestedAddress: requested, ...fields } = creation;
    const { families, internal } = fields;
    const members = this.#known(fields.members);
    this.#requireRoom();
    const own = this.#addresses.choose({ families, internal, own: {}, requested });
    const now = Date.now();
    const loadBalancer = await this.#change(
      {
        id: `lb-${randomBytes(8).toString("hex")}`,
        ...fields,
        state: "provisioning",
        members,
        own,
        ...(requested === undefined ? {} : { requestedAddress: requested }),
        createdAt: new Date(now).toISOString(),
        ...(overridden === undefined ? {} : { told: overridden }),
        ...(key === undefined ? {} : { creation: { key, body, at: now } }),
      },
      now,
    );
    return { balancer: loadBalancer, isNew: true };
  }

  /** Changes a load balancer. Throws ApiError `not_found`, `invalid`, and `busy` while another change is in progress. */
  async edit(id: string, edit: LoadBalancerEdit): Promise<StoredLoadBalancer> {
    const { errorMessage, ...before } = this.get(id);
    const after = this.#edited(before, edit);
    requireIdle(before);
    return await this.#change({ ...after, state: "updating" }, Date.now());
  }

  /** Deletes a load balancer and returns it as it is meanwhile. Throws ApiError `not_found` and `busy`. */
  async delete(id: string): Promise<StoredLoadBalancer> {
    const before = this.get(id);
    requireIdle(before);
    const delayMs = this.#options.provisioningMs();
    const leaving: StoredLoadBalancer = { ...before, state: "deleting" };
    if (delayMs > 0) {
      return await this.#loadBalancers.put({ ...leaving, dueAt: Date.now() + delayMs });
    }
    await this.#loadBalancers.delete(id);
    return leaving;
  }

  /** Applies a user's change at once, in any state. Throws ApiError `not_found` and `invalid`. */
  async overwrite(
    id: string,
    change: (before: StoredLoadBalancer) => StoredLoadBalancer,
  ): Promise<StoredLoadBalancer> {
    const after = change(this.get(id));
    const { families, internal, own } = after;
    return await this.#loadBalancers.put({
      ...after,
      own: this.#addresses.choose({ families, internal, own }),
      members: this.#known(after.members),
    });
  }

  /** Removes a load balancer for a user at once, in any state. Throws ApiError `not_found`. */
  async remove(id: string): Promise<void> {
    this.#settle();
    await this.#loadBalancers.delete(id);
  }

  /** Needs no record of its own, as it follows from the machine's deletion, which is in the journal. */
  dropMember(machine: string): void {
    for (const { item } of [...this.#loadBalancers.entries()]) {
      if (item.members.includes(machine)) {
        const members = item.members.filter((member) => member !== machine);
        this.#loadBalancers.amend({ ...item, members });
      }
    }
  }

  clear(): void {
    this.#loadBalancers.clear();
  }

  replay(record: CollectionRecord): void {
    this.#loadBalancers.replay(record);
  }

  snapshot(): CollectionRecord[] {
    this.#settle();
    return this.#loadBalancers.snapshot();
  }

  #edited(
    { requestedAddress, ...before }: StoredLoadBalancer,
    edit: LoadBalancerEdit,
  ): StoredLoadBalancer {
    const { requestedAddress: options, name, internal, ...fields } = edit;
    const requested = options === undefined ? requestedAddress : (options ?? undefined);
    const after = { ...before, ...fields };
    const own = this.#addresses.choose({ ...after, requested: options ?? undefined });
    return {
      ...after,
      own,
      members: this.#known(after.members),
      ...(requested === undefined ? {} : { requestedAddress: requested }),
    };
  }

  /** Starts a change that takes as long as the faults say, possibly no time. */
  async #change(passing: StoredLoadBalancer, now: number): Promise<StoredLoadBalancer> {
    const delayMs = this.#options.provisioningMs();
    return await this.#loadBalancers.put(
      delayMs > 0 ? { ...passing, dueAt: now + delayMs } : { ...passing, state: "active" },
    );
  }

  /** Not written: every reader of the journal comes to the same result. */
  #settle(): void {
    const now = Date.now();
    for (const [id, dueAt] of this.#due) {
      if (dueAt <= now) {
        this.#end(this.#loadBalancers.get(id));
      }
    }
  }

  #end({ dueAt, ...loadBalancer }: StoredLoadBalancer): void {
    if (loadBalancer.state === "deleting") {
      this.#loadBalancers.forget(loadBalancer.id);
    } else {
      this.#loadBalancers.amend({ ...loadBalancer, state: "active" });
    }
  }

  #madeBy(key: string): StoredLoadBalancer | undefined {
    const since = Date.now() - KEY_LIFE_MS;
    for (const { item } of this.#loadBalancers.entries()) {
      if (item.creation?.key === key && item.creation.at > since) {
        return item;
      }
    }
    return undefined;
  }

  #requireRoom(): void {
    const quota = this.#options.quota();
    if (this.#loadBalancers.size >= quota) {
      throw apiError(
        "quota_exceeded",
        `The quota of load balancers is used up, ${quota} of ${quota}: delete one or have it raised.`,
      );
    }
  }

  #known(members: readonly string[]): string[] {
    const seen = new Set<string>();
    for (const [index, member] of members.entries()) {
      const id = this.#options.machineId(member);
      if (id === undefined || seen.has(id)) {
        const why =
          id === undefined ? `there is no instance ${member}` : `${member} is named twice`;
        throw invalidField(`members.${index}`, why);
      }
      seen.add(id);
    }
    return [...seen];
  }

  /** Stores the members as references to the machines' own id strings: thousands of load balancers may have a thousand members each. */
  #shared(loadBalancer: StoredLoadBalancer): StoredLoadBalancer {
    const members = loadBalancer.members.map((id) => this.#options.machineId(id) ?? id);
    return { ...loadBalancer, members };
  }

  #index(before: StoredLoadBalancer | undefined, after: StoredLoadBalancer | undefined): void {
    this.#addresses.changed(before, after);
    if (before !== undefined) {
      this.#due.delete(before.id);
    }
    if (after?.dueAt !== undefined) {
      this.#due.set(after.id, after.dueAt);
    }
  }
}

function requireIdle({ id, state }: StoredLoadBalancer): void {
  if (state !== "active" && state !== "error") {
    throw apiError("busy", `The load balancer ${id} is ${state}: try again later.`);
  }
}

function requireSameBody({ id, creation }: StoredLoadBalancer, body: string): void {
  if (creation?.body !== body) {
    throw apiError(
      "conflict",
      `The Idempotency-Key was already used with another body, for the load balancer ${id}: use a new key for each request.`,
    );
  }
}

/** Hashes the body with its defaults filled in, so that the order of its fields does not matter. */
function digestOf(creation: LoadBalancerCreation): string {
  return createHash("sha256").update(canonicalJson(creation)).digest("base64url");
}
