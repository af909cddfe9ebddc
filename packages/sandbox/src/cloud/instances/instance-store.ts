import { randomBytes } from "node:crypto";
import { z } from "zod";
import { apiError } from "../http/api-error.ts";
import { type AddressPool, createAddressPool } from "../resources/address-pool.ts";
import {
  type Creation,
  type Edit,
  edited,
  fillIn,
  type Instance,
  type InstanceState,
  instanceSchema,
} from "./instance.ts";

/** A machine with the fields that only the cloud itself knows. */
export interface StoredInstance {
  /** Increases with every creation and is never reused: the order of listings and the position of a cursor. */
  readonly sequence: number;
  readonly instance: Instance;
  /** A change of power in progress: the new state and when it is reached (milliseconds since the epoch). */
  readonly due?: { readonly state: InstanceState; readonly at: number } | undefined;
}

export type InstanceEvent =
  | { readonly type: "put"; readonly instance: Instance }
  | { readonly type: "delete"; readonly instance: Instance };

export type InstanceRecord =
  | ({ readonly op: "put"; readonly collection: "instances" } & StoredInstance)
  | { readonly op: "delete"; readonly collection: "instances"; readonly id: string };

export const instanceRecordSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("put"),
    collection: z.literal("instances"),
    sequence: z.number().int(),
    instance: instanceSchema,
    due: z.object({ state: instanceSchema.shape.state, at: z.number() }).optional(),
  }),
  z.object({ op: z.literal("delete"), collection: z.literal("instances"), id: z.string() }),
]);

export interface StoreOptions {
  /** Makes a change durable. The store shows it before that, but the request is only answered afterwards. */
  readonly persist: (record: InstanceRecord) => Promise<void>;
  /** Returns how long a machine takes to start or stop, in milliseconds; called at each change of power. */
  readonly powerDelayMs: () => number;
}

/** All machines of the cloud, in memory. Every method that changes one resolves when the change is durable. */
export class InstanceStore {
  readonly #options: StoreOptions;
  readonly #addresses: AddressPool = createAddressPool();
  readonly #byId = new Map<string, StoredInstance>();
  readonly #idsByName = new Map<string, Set<string>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #listeners = new Set<(event: InstanceEvent) => void>();
  #nextSequence = 1;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Returns the machines in order of creation. */
  all(): IterableIterator<StoredInstance> {
    return this.#byId.values();
  }

  find(id: string): StoredInstance | undefined {
    return this.#byId.get(id);
  }

  /** Returns the machines of this name: names are not unique in this cloud. */
  named(name: string): readonly StoredInstance[] {
    return [...(this.#idsByName.get(name) ?? [])].flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** Reports whether a machine has this IP address. */
  hasAddress(address: string): boolean {
    return this.#addresses.holds(address);
  }

  /** Returns a machine. Throws ApiError `not_found`. */
  get(id: string): StoredInstance {
    const stored = this.#byId.get(id);
    if (stored === undefined) {
      throw apiError("not_found", `There is no instance ${id}: it was deleted or never existed.`);
    }
    return stored;
  }

  async create(creation: Creation): Promise<Instance> {
    const instance = fillIn(creation, {
      id: `i-${randomBytes(8).toString("hex")}`,
      state: "pending",
      addresses: creation.addresses ?? this.#addresses.defaultsFor(creation.name),
      createdAt: new Date().toISOString(),
    });
    return await this.#move({ sequence: this.#nextSequence, instance }, "running");
  }

  async edit(id: string, edit: Edit): Promise<Instance> {
    const { due, ...stored } = this.get(id);
    const kept = edit.state === undefined ? due : undefined;
    return await this.#put({ ...stored, instance: edited(stored.instance, edit), due: kept });
  }

  async power(id: string, wanted: "running" | "stopped"): Promise<Instance> {
    const stored = this.get(id);
    if (stored.instance.state === wanted || stored.due?.state === wanted) {
      return stored.instance;
    }
    if (stored.due !== undefined) {
      throw apiError("busy", `The instance ${id} is ${stored.instance.state}: try again later.`);
    }
    const passing = wanted === "running" ? "pending" : "stopping";
    return await this.#move(
      { ...stored, instance: { ...stored.instance, state: passing } },
      wanted,
    );
  }

  async delete(id: string): Promise<void> {
    this.#forget(this.get(id));
    await this.#options.persist({ op: "delete", collection: "instances", id });
  }

  /** Deletes every machine; the caller makes that durable. */
  clear(): void {
    for (const stored of [...this.#byId.values()]) {
      this.#forget(stored);
    }
    this.#addresses.clear();
  }

  /** Calls the listener for every change from now on; the returned function unsubscribes it. */
  subscribe(listener: (event: InstanceEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  replay(record: InstanceRecord): void {
    if (record.op === "put") {
      this.#remember(record);
      return;
    }
    const stored = this.#byId.get(record.id);
    if (stored !== undefined) {
      this.#forget(stored);
    }
  }

  snapshot(): InstanceRecord[] {
    return [...this.#byId.values()].map(toRecord);
  }

  /** Ends the timers; changes of power in progress continue at the next start. */
  close(): void {
    for (const timer of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#timers.clear();
  }

  /** Changes the power by way of a passing state, which lasts no time unless a fault says otherwise. */
  async #move(passing: StoredInstance, wanted: InstanceState): Promise<Instance> {
    const delayMs = this.#options.powerDelayMs();
    if (delayMs > 0) {
      return await this.#put({ ...passing, due: { state: wanted, at: Date.now() + delayMs } });
    }
    return await this.#put(settled(passing, wanted));
  }

  async #put(stored: StoredInstance): Promise<Instance> {
    this.#remember(stored);
    this.#notify({ type: "put", instance: stored.instance });
    await this.#options.persist(toRecord(stored));
    return stored.instance;
  }

  #remember(stored: StoredInstance): void {
    const { id, name, addresses } = stored.instance;
    const old = this.#byId.get(id);
    if (old !== undefined) {
      this.#addresses.vacate(old.instance.addresses);
    }
    this.#addresses.occupy(addresses);
    this.#byId.set(id, stored);
    this.#idsByName.set(name, (this.#idsByName.get(name) ?? new Set()).add(id));
    this.#nextSequence = Math.max(this.#nextSequence, stored.sequence + 1);
    this.#arm(stored);
  }

  #forget({ instance }: StoredInstance): void {
    this.#disarm(instance.id);
    this.#addresses.vacate(instance.addresses);
    this.#byId.delete(instance.id);
    const ids = this.#idsByName.get(instance.name);
    ids?.delete(instance.id);
    if (ids?.size === 0) {
      this.#idsByName.delete(instance.name);
    }
    this.#notify({ type: "delete", instance });
  }

  #arm({ instance: { id }, due }: StoredInstance): void {
    this.#disarm(id);
    if (due === undefined) {
      return;
    }
    const timer = setTimeout(() => this.#settle(id), Math.max(0, due.at - Date.now()));
    this.#timers.set(id, timer.unref());
  }

  #disarm(id: string): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** If the disk fails here, the journal is broken and the next request reports it. */
  #settle(id: string): void {
    const stored = this.#byId.get(id);
    if (stored?.due !== undefined) {
      this.#put(settled(stored, stored.due.state)).catch(() => undefined);
    }
  }

  #notify(event: InstanceEvent): void {
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}

function settled({ sequence, instance }: StoredInstance, state: InstanceState): StoredInstance {
  return { sequence, instance: { ...instance, state } };
}

function toRecord({ sequence, instance, due }: StoredInstance): InstanceRecord {
  return {
    op: "put",
    collection: "instances",
    sequence,
    instance,
    ...(due === undefined ? {} : { due }),
  };
}
