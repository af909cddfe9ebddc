import type { StoreChange } from "./revision.ts";

/** Kept for watches that resume and for the pages of a list: enough for minutes of a large cluster. */
const MOST_CHANGES = 20_000;
const MOST_CHARACTERS = 64 * 1_024 * 1_024;

/** The latest changes, bounded in number and size. */
export class History {
  #changes: StoreChange[] = [];
  #characters = 0;
  #compacted = 0;

  get compactedVersion(): number {
    return this.#compacted;
  }

  push(change: StoreChange): void {
    this.#changes.push(change);
    this.#characters += change.revision.json.length;
    if (this.#changes.length > MOST_CHANGES || this.#characters > MOST_CHARACTERS)
      this.#dropOldestHalf();
  }

  /** Returns the changes after the version, oldest first; undefined when some of them are no longer kept. */
  since(version: number): StoreChange[] | undefined {
    if (version < this.#compacted) return undefined;
    return this.#changes.slice(this.#firstAfter(version));
  }

  compact(version: number): void {
    this.#compacted = version;
    this.#changes = this.#changes.slice(this.#firstAfter(version));
    this.#characters = this.#changes.reduce((sum, { revision }) => sum + revision.json.length, 0);
  }

  #dropOldestHalf(): void {
    const middle = this.#changes[Math.floor(this.#changes.length / 2)];
    if (middle !== undefined) this.compact(middle.version);
  }

  /** Binary search: versions increase along the list. */
  #firstAfter(version: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const isOlder = (this.#changes[middle]?.version ?? 0) <= version;
      if (isOlder) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
