import { z } from "zod";
import { apiError } from "../http/api-error.ts";

/** A resource with its position in listings. */
export interface Entry<Item> {
  /** Increases with every creation: the order of listings and the position of a cursor. */
  readonly sequence: number;
  readonly item: Item;
}

const COLLECTIONS = ["load-balancers", "firewall-rules", "routes", "volumes"] as const;
export type CollectionName = (typeof COLLECTIONS)[number];

export const collectionRecordSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("put"),
    collection: z.enum(COLLECTIONS),
    sequence: z.number().int(),
    item: z.unknown(),
  }),
  z.object({ op: z.literal("delete"), collection: z.enum(COLLECTIONS), id: z.string() }),
]);
export type CollectionRecord = z.infer<typeof collectionRecordSchema>;

export interface CollectionOptions<Item> {
  readonly name: CollectionName;
  /** The resource's name in errors: `load balancer`. */
  readonly noun: string;
  /** Reads what the journal stored; throws when it is damaged. */
  readonly read: (kept: unknown) => Item;
  /** Makes a change durable. The collection shows it before that, but the request is only answered afterwards. */
  readonly persist: (record: CollectionRecord) => Promise<void>;
  /** Called for every change, including those replayed from the journal. */
  readonly changed?: (before: Item | undefined, after: Item | undefined) => void;
}

/** All resources of one kind, in memory. Items are never modified, only replaced: the journal may write them later. */
export class Collection<Item extends { readonly id: string }> {
  readonly #options: CollectionOptions<Item>;
  readonly #entries = new Map<string, Entry<Item>>();
  #nextSequence = 1;

  constructor(options: CollectionOptions<Item>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the entries in order of creation. */
  entries(): IterableIterator<Entry<Item>> {
    return this.#entries.values();
  }

  find(id: string): Item | undefined {
    return this.#entries.get(id)?.item;
  }

  /** Returns an item. Throws ApiError `not_found`. */
  get(id: string): Item {
    const item = this.find(id);
    if (item === undefined) {
      const { noun } = this.#options;
      throw apiError("not_found", `There is no ${noun} ${id}: it was deleted or never existed.`);
    }
    return item;
  }

  /** Adds an item or replaces the one with its id; resolves when that is durable. */
  async put(item: Item): Promise<Item> {
    await this.#options.persist(this.#record(this.amend(item)));
    return item;
  }

  /** Does the same as `put`, for a change that follows from another record of the journal and need not be written itself. */
  amend(item: Item): Entry<Item> {
    const entry = { sequence: this.#entries.get(item.id)?.sequence ?? this.#nextSequence, item };
    this.#remember(entry);
    return entry;
  }

  /** Deletes an item. Throws ApiError `not_found`; resolves when that is durable. */
  async delete(id: string): Promise<void> {
    this.get(id);
    this.forget(id);
    await this.#options.persist({ op: "delete", collection: this.#options.name, id });
  }

  /** Does the same as `delete`, for an item whose deletion follows from a record in the journal. */
  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) {
      this.#entries.delete(id);
      this.#options.changed?.(entry.item, undefined);
    }
  }

  /** Empties it; the caller makes that durable. */
  clear(): void {
    for (const id of [...this.#entries.keys()]) {
      this.forget(id);
    }
  }

  replay(record: CollectionRecord): void {
    if (record.op === "put") {
      this.#remember({ sequence: record.sequence, item: this.#options.read(record.item) });
    } else {
      this.forget(record.id);
    }
  }

  snapshot(): CollectionRecord[] {
    return [...this.entries()].map((entry) => this.#record(entry));
  }

  #remember(entry: Entry<Item>): void {
    const before = this.#entries.get(entry.item.id)?.item;
    this.#entries.set(entry.item.id, entry);
    this.#nextSequence = Math.max(this.#nextSequence, entry.sequence + 1);
    this.#options.changed?.(before, entry.item);
  }

  #record({ sequence, item }: Entry<Item>): CollectionRecord {
    return { op: "put", collection: this.#options.name, sequence, item };
  }
}
