import type { ApiObject } from "../resources/metadata.ts";
import { byCodeUnit } from "../text-order.ts";
import { History } from "./history.ts";
import { Journal } from "./journal.ts";
import { type Revision, revisionOf, type StoreChange } from "./revision.ts";

export type ChangeListener = (change: StoreChange) => void;

/** A storage and a prefix of its keys: `{storage: "events", prefix: "default/"}`; "" means all. */
export interface Range {
  readonly storage: string;
  readonly prefix: string;
}

export interface Snapshot {
  readonly version: number;
  /** Ordered by key. */
  readonly revisions: readonly Revision[];
}

/** Thrown for a version whose history is no longer kept. */
export class CompactedError extends Error {
  override readonly name = "CompactedError";
}

/**
 * All objects of the cluster, under one version that increases by one with each write. A write has reached the operating system before it
 * returns, so it survives the process (not the machine). All methods are synchronous, which makes each read-check-write of a caller atomic.
 */
export class ObjectStore {
  readonly #tables = new Map<string, Table>();
  readonly #listeners = new Set<ChangeListener>();
  readonly #history = new History();
  readonly #journal: Journal;
  #version: number;

  /** Opens the store in the folder, or creates one. Throws when the journal there is not one of ours. */
  constructor(folder: string) {
    this.#version = 1;
    this.#journal = new Journal(folder);
    this.#version = this.#journal.load({
      snapshot: (storage, revision) => this.#table(storage).set(revision),
      compacted: (version) => this.#history.compact(version),
      change: (change) => this.#remember(change),
    });
  }

  get version(): number {
    return this.#version;
  }

  /** The version below which watches and old lists are refused. */
  get compactedVersion(): number {
    return this.#history.compactedVersion;
  }

  get(storage: string, key: string): Revision | undefined {
    return this.#table(storage).get(key);
  }

  put(storage: string, key: string, object: ApiObject): Revision {
    const previous = this.get(storage, key);
    const revision = revisionOf(key, object, this.#version + 1);
    this.#commit({
      kind: previous === undefined ? "added" : "modified",
      storage,
      version: revision.version,
      revision,
      ...(previous === undefined ? {} : { previous }),
    });
    return revision;
  }

  /** Removes an object and returns its last state, with the version of the deletion; undefined when there is none. */
  remove(storage: string, key: string): Revision | undefined {
    const previous = this.get(storage, key);
    if (previous === undefined) return undefined;
    const revision = revisionOf(key, previous.object, this.#version + 1);
    this.#commit({ kind: "deleted", storage, version: revision.version, revision, previous });
    return revision;
  }

  list(range: Range): Snapshot {
    return {
      version: this.#version,
      revisions: this.#table(range.storage).withPrefix(range.prefix),
    };
  }

  /** Returns a list as of an earlier version. Throws CompactedError. */
  listAt(range: Range, version: number): Snapshot {
    const undone = new Map<string, Revision | undefined>();
    for (const change of this.changesSince(range, version).reverse()) {
      undone.set(change.revision.key, change.previous);
    }
    const current = this.list(range).revisions.filter(({ key }) => !undone.has(key));
    const restored = [...undone.values()].filter((revision) => revision !== undefined);
    const revisions = [...current, ...restored].sort((left, right) =>
      byCodeUnit(left.key, right.key),
    );
    return { version, revisions };
  }

  /** Returns later changes, oldest first. Throws CompactedError. */
  changesSince(range: Range, version: number): StoreChange[] {
    const changes = this.#history.since(version);
    if (changes === undefined) {
      throw new CompactedError(`Version ${version} is older than the history that is kept.`);
    }
    return changes.filter((change) => isIn(range, change));
  }

  /** Calls the listener for each later change, in order, until the returned function is called. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the history: every older version is refused from now on. */
  compact(): void {
    this.#history.compact(this.#version);
    this.#journal.rewrite(this.#version, this.#everything());
  }

  close(): void {
    this.#journal.close();
  }

  #commit(change: StoreChange): void {
    this.#journal.append(change);
    this.#remember(change);
    this.#version = change.version;
    for (const listener of [...this.#listeners]) listener(change);
    if (this.#journal.isDueForRewrite) {
      this.#journal.rewrite(this.#version, this.#everything());
    }
  }

  #remember(change: StoreChange): void {
    const table = this.#table(change.storage);
    if (change.kind === "deleted") table.delete(change.revision.key);
    else table.set(change.revision);
    this.#history.push(change);
  }

  #table(storage: string): Table {
    const found = this.#tables.get(storage) ?? new Table();
    this.#tables.set(storage, found);
    return found;
  }

  *#everything(): Generator<readonly [string, Revision]> {
    for (const [storage, table] of this.#tables) {
      for (const revision of table.withPrefix("")) yield [storage, revision];
    }
  }
}

/** The objects of one storage; sorted only when a list needs it. */
class Table {
  readonly #revisions = new Map<string, Revision>();
  #sortedKeys: readonly string[] | undefined;

  get(key: string): Revision | undefined {
    return this.#revisions.get(key);
  }

  set(revision: Revision): void {
    if (!this.#revisions.has(revision.key)) this.#sortedKeys = undefined;
    this.#revisions.set(revision.key, revision);
  }

  delete(key: string): void {
    if (this.#revisions.delete(key)) this.#sortedKeys = undefined;
  }

  withPrefix(prefix: string): readonly Revision[] {
    this.#sortedKeys ??= [...this.#revisions.keys()].sort(byCodeUnit);
    return this.#sortedKeys.flatMap((key) => {
      const revision = key.startsWith(prefix) ? this.#revisions.get(key) : undefined;
      return revision === undefined ? [] : [revision];
    });
  }
}

function isIn(range: Range, change: StoreChange): boolean {
  return change.storage === range.storage && change.revision.key.startsWith(range.prefix);
}
