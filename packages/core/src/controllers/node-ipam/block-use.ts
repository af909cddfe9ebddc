/**
 * Blocks of a pool by number, the first and the last of a row. Rows come from address ranges: there are a power of two in
 * one, and it begins at a multiple of that, so that of two rows that meet one lies within the other.
 */
export interface Blocks {
  readonly from: number;
  readonly to: number;
}

type Owners = Set<string>;

/**
 * Which blocks are used, and by whom. Most owners use one block; a range that was written by hand, or given when blocks were
 * larger, may cover many, or share one with others. Rows are kept as rows, by their length and their first block, as a
 * pool may have millions of blocks and a cluster thousands of rows.
 */
export class BlockUse {
  /** By the length of rows, then by their first block. */
  readonly #rows = new Map<number, Map<number, Owners>>();
  /** How many blocks are used by anybody. */
  #used = 0;

  get used(): number {
    return this.#used;
  }

  add(owner: string, blocks: Blocks): void {
    const ofLength = this.#ofLength(lengthOf(blocks));
    const owners = ofLength.get(blocks.from);
    if (owners !== undefined) {
      owners.add(owner);
      return;
    }
    this.#used += this.#unusedIn(blocks);
    ofLength.set(blocks.from, new Set([owner]));
  }

  remove(owner: string, blocks: Blocks): void {
    const length = lengthOf(blocks);
    const ofLength = this.#rows.get(length);
    const owners = ofLength?.get(blocks.from);
    if (owners?.delete(owner) !== true || owners.size > 0) return;
    ofLength?.delete(blocks.from);
    if (ofLength?.size === 0) this.#rows.delete(length);
    this.#used -= this.#unusedIn(blocks);
  }

  /** The last block of the longest used row that the block is in; undefined when it is free. */
  usedUpTo(block: number): number | undefined {
    const ends = this.#around({ from: block, to: block }).map(({ to }) => to);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Who uses any of them. */
  ownersOf(blocks: Blocks): ReadonlySet<string> {
    const rows = [...this.#around(blocks), ...this.#within(blocks)];
    return new Set(rows.flatMap(({ owners }) => [...owners]));
  }

  /** How many of them nobody uses. */
  #unusedIn(blocks: Blocks): number {
    if (this.#around(blocks).length > 0) return 0;
    const outermost = this.#within(blocks).filter((row) => this.#around(row).length === 1);
    return outermost.reduce((left, row) => left - lengthOf(row), lengthOf(blocks));
  }

  #ofLength(length: number): Map<number, Owners> {
    const known = this.#rows.get(length) ?? new Map<number, Owners>();
    this.#rows.set(length, known);
    return known;
  }

  /** The row of just these blocks, and those that they are a part of. */
  #around(blocks: Blocks): readonly UsedRow[] {
    return [...this.#rows].flatMap(([length, rows]) => {
      if (length < lengthOf(blocks)) return [];
      const from = blocks.from - (blocks.from % length);
      return usedRow(from, length, rows.get(from));
    });
  }

  /** Rows that are a part of these blocks; of each length whatever there is less of is gone through. */
  #within(blocks: Blocks): readonly UsedRow[] {
    return [...this.#rows].flatMap(([length, rows]) => {
      const most = lengthOf(blocks) / length;
      if (most <= 1) return [];
      if (most < rows.size) {
        const starts = Array.from({ length: most }, (_, index) => blocks.from + index * length);
        return starts.flatMap((from) => usedRow(from, length, rows.get(from)));
      }
      const inside = [...rows].filter(([from]) => blocks.from <= from && from <= blocks.to);
      return inside.flatMap(([from, owners]) => usedRow(from, length, owners));
    });
  }
}

interface UsedRow extends Blocks {
  readonly owners: ReadonlySet<string>;
}

function usedRow(from: number, length: number, owners: Owners | undefined): readonly UsedRow[] {
  return owners === undefined ? [] : [{ from, to: from + length - 1, owners }];
}

function lengthOf({ from, to }: Blocks): number {
  return to - from + 1;
}
