/**
 * Consecutive blocks of a pool, by the numbers of the first and the last one. Such rows come from address ranges: each
 * has a power of two of blocks and starts at a multiple of that, so that if two rows overlap, one contains the other.
 */
export interface Blocks {
  readonly from: number;
  readonly to: number;
}

type Owners = Set<string>;

/**
 * Which blocks are used, and by whom. Most owners use one block; a range that was written by hand, or given when blocks were
 * larger, may cover many blocks or share one. Rows are stored as rows, by length and first block, as a pool may have
 * millions of blocks and a cluster thousands of rows.
 */
export class BlockUse {
  /** By the length of the rows, then by their first block. */
  readonly #rows = new Map<number, Map<number, Owners>>();
  /** How many blocks are used. */
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

  /** Returns the last block of the longest used row that contains the block; undefined when it is free. */
  usedUpTo(block: number): number | undefined {
    const ends = this.#around({ from: block, to: block }).map(({ to }) => to);
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Returns who uses any of the blocks. */
  ownersOf(blocks: Blocks): ReadonlySet<string> {
    const rows = [...this.#around(blocks), ...this.#within(blocks)];
    return new Set(rows.flatMap(({ owners }) => [...owners]));
  }

  /** Returns how many of the blocks are unused. */
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

  /** Returns the row of exactly these blocks, and the rows that contain it. */
  #around(blocks: Blocks): readonly UsedRow[] {
    return [...this.#rows].flatMap(([length, rows]) => {
      if (length < lengthOf(blocks)) return [];
      const from = blocks.from - (blocks.from % length);
      return usedRow(from, length, rows.get(from));
    });
  }

  /**
   * Returns the rows within these blocks. For each length it iterates over whichever is fewer: the stored rows or
   * the possible positions.
   */
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
