/** Blocks of a pool by number, the first and the last of a row. */
export interface Blocks {
  readonly from: number;
  readonly to: number;
}

/**
 * Which blocks are used, and by whom. Most owners use one block; a range that was written by hand may cover many, or share
 * one with others. Wide rows are kept as rows, as a pool may have millions of blocks.
 */
export class BlockUse {
  readonly #owners = new Map<number, Set<string>>();
  readonly #rows: (Blocks & { readonly owner: string })[] = [];
  /** How many blocks are used by anybody. */
  #used = 0;

  get used(): number {
    return this.#used;
  }

  add(owner: string, blocks: Blocks): void {
    if (blocks.from === blocks.to) {
      this.#addOne(owner, blocks.from);
      return;
    }
    this.#rows.push({ ...blocks, owner });
    this.#count();
  }

  remove(owner: string, blocks: Blocks): void {
    if (blocks.from === blocks.to) {
      this.#removeOne(owner, blocks.from);
      return;
    }
    const at = this.#rows.findIndex(
      (row) => row.owner === owner && row.from === blocks.from && row.to === blocks.to,
    );
    if (at < 0) return;
    this.#rows.splice(at, 1);
    this.#count();
  }

  /** The last block of the used row that the block is in; undefined when it is free. */
  usedUpTo(block: number): number | undefined {
    const row = this.#rowOf(block);
    if (row !== undefined) return row.to;
    return this.#owners.has(block) ? block : undefined;
  }

  /** Who uses any of them. */
  ownersOf(blocks: Blocks): ReadonlySet<string> {
    const ofRows = this.#rows
      .filter(({ from, to }) => from <= blocks.to && blocks.from <= to)
      .map(({ owner }) => owner);
    return new Set([...ofRows, ...this.#usedAlone(blocks).flatMap((block) => [...block])]);
  }

  /** The owners of each single block that is used; whatever there are fewer of is gone through. */
  #usedAlone({ from, to }: Blocks): readonly ReadonlySet<string>[] {
    if (to - from < this.#owners.size) {
      const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      return all.flatMap((block) => this.#owners.get(block) ?? []);
    }
    return [...this.#owners]
      .filter(([block]) => from <= block && block <= to)
      .map(([, own]) => own);
  }

  #addOne(owner: string, block: number): void {
    const owners = this.#owners.get(block);
    if (owners !== undefined) {
      owners.add(owner);
      return;
    }
    this.#owners.set(block, new Set([owner]));
    if (this.#rowOf(block) === undefined) this.#used += 1;
  }

  #removeOne(owner: string, block: number): void {
    const owners = this.#owners.get(block);
    if (owners?.delete(owner) !== true || owners.size > 0) return;
    this.#owners.delete(block);
    if (this.#rowOf(block) === undefined) this.#used -= 1;
  }

  #rowOf(block: number): Blocks | undefined {
    return this.#rows.find(({ from, to }) => from <= block && block <= to);
  }

  #count(): void {
    const singles = [...this.#owners.keys()].filter((block) => this.#rowOf(block) === undefined);
    this.#used = lengthOf(this.#rows) + singles.length;
  }
}

/** How many blocks the rows cover, each counted once. */
function lengthOf(rows: readonly Blocks[]): number {
  let length = 0;
  let counted = -1;
  for (const { from, to } of [...rows].sort((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from - 1, counted));
    counted = Math.max(counted, to);
  }
  return length;
}
