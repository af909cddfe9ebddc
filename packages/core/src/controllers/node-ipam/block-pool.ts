import {
  ADDRESS_BITS,
  type Cidr,
  contains,
  formatCidr,
  lastAddress,
  overlaps,
} from "../../model/values/cidr.ts";
import { type Blocks, BlockUse } from "./block-use.ts";

/** A range of the cluster and how it is cut into blocks, one per node. */
export interface ClusterRange {
  readonly cidr: Cidr;
  /** The mask of a block: at least the range's own. */
  readonly nodeMask: number;
}

/** A block that nobody uses. */
export interface FreeBlock {
  readonly cidr: Cidr;
  /** How many rows of blocks were examined to find a free one. */
  readonly tries: number;
}

/** The owner of the parts that are excluded from use. */
const KEPT_OUT = "";

/**
 * The blocks of one range of the cluster. Free ones are offered round-robin: a block that was just released comes last, so
 * that everything that remembers its former node has time to forget it (spec/40 §10).
 */
export class BlockPool {
  readonly range: Cidr;
  readonly nodeMask: number;
  /** All blocks, including the excluded ones. */
  readonly capacity: number;
  readonly #use = new BlockUse();
  /** Free blocks that were offered but not taken yet, and to whom; the longest offered one first. */
  readonly #offered = new Map<number, Set<string>>();
  readonly #onUsed: (change: number) => void;
  #next = 0;

  /**
   * `excluded`: ranges of Services. `onUsed` receives by how many the number of used blocks rose or fell, if it
   * changed.
   */
  constructor(
    { cidr, nodeMask }: ClusterRange,
    excluded: readonly Cidr[],
    onUsed: (change: number) => void = () => undefined,
  ) {
    this.range = cidr;
    this.nodeMask = nodeMask;
    this.capacity = 2 ** (nodeMask - cidr.bits);
    this.#onUsed = onUsed;
    for (const range of excluded) this.add(KEPT_OUT, range);
  }

  /** How many blocks are unavailable: used by nodes, or excluded. */
  get used(): number {
    return this.#use.used;
  }

  get name(): string {
    return formatCidr(this.range);
  }

  contains(cidr: Cidr): boolean {
    return contains(this.range, cidr);
  }

  /** Returns who uses a block that overlaps the range; the empty name stands for excluded blocks. */
  ownersOf(cidr: Cidr): ReadonlySet<string> {
    const blocks = this.#blocksOf(cidr);
    return blocks === undefined ? new Set() : this.#use.ownersOf(blocks);
  }

  /**
   * Marks what an owner has, even if it has it twice or shares it; parts outside the pool are ignored. Returns the others
   * to whom an overlapping block was offered: they need another one.
   */
  add(owner: string, cidr: Cidr): readonly string[] {
    this.#change(cidr, (blocks) => this.#use.add(owner, blocks));
    const taken = this.#offeredIn(cidr);
    const lost = taken.flatMap((block) => [...(this.#offered.get(block) ?? [])]);
    for (const block of taken) this.#offered.delete(block);
    return lost.filter((other) => other !== owner);
  }

  remove(owner: string, cidr: Cidr): void {
    this.#change(cidr, (blocks) => this.#use.remove(owner, blocks));
  }

  /**
   * Returns the next free block; undefined when all are used. An offered block is not used yet, and when all free ones are
   * offered they may be shared.
   */
  offer(owner: string, mayBeShared = true): FreeBlock | undefined {
    if (this.used >= this.capacity) return undefined;
    const found = this.#unoffered() ?? (mayBeShared ? this.#offeredLongest() : undefined);
    if (found === undefined) return undefined;
    this.#offered.set(found.block, found.others.add(owner));
    return { cidr: this.#cidrOf(found.block), tries: found.tries };
  }

  /** Withdraws an offer. */
  endOffer(owner: string, cidr: Cidr): void {
    for (const block of this.#offeredIn(cidr)) {
      const owners = this.#offered.get(block);
      owners?.delete(owner);
      if (owners?.size === 0) this.#offered.delete(block);
    }
  }

  #unoffered(): Found | undefined {
    if (this.used + this.#offered.size >= this.capacity) return undefined;
    let tries = 0;
    let block = this.#next;
    for (let left = this.capacity; left > 0; ) {
      tries += 1;
      const end = this.#use.usedUpTo(block) ?? (this.#offered.has(block) ? block : undefined);
      if (end === undefined) {
        this.#next = (block + 1) % this.capacity;
        return { block, tries, others: new Set() };
      }
      left -= end - block + 1;
      block = (end + 1) % this.capacity;
    }
    return undefined;
  }

  /** All free blocks are offered: the next one to share goes to the end of the order. */
  #offeredLongest(): Found | undefined {
    const [first] = this.#offered;
    if (first === undefined) return undefined;
    const [block, others] = first;
    this.#offered.delete(block);
    return { block, tries: 1, others };
  }

  #offeredIn(cidr: Cidr): readonly number[] {
    const blocks = this.#blocksOf(cidr);
    if (blocks === undefined) return [];
    if (blocks.from === blocks.to) return this.#offered.has(blocks.from) ? [blocks.from] : [];
    return [...this.#offered.keys()].filter((block) => blocks.from <= block && block <= blocks.to);
  }

  #change(cidr: Cidr, apply: (blocks: Blocks) => void): void {
    const blocks = this.#blocksOf(cidr);
    if (blocks === undefined) return;
    const before = this.used;
    apply(blocks);
    if (this.used !== before) this.#onUsed(this.used - before);
  }

  /** Returns the blocks that overlap a range; undefined when it lies outside. */
  #blocksOf(cidr: Cidr): Blocks | undefined {
    if (!overlaps(this.range, cidr)) return undefined;
    return {
      from: Math.max(0, this.#blockOf(cidr.first)),
      to: Math.min(this.capacity - 1, this.#blockOf(lastAddress(cidr))),
    };
  }

  #blockOf(address: bigint): number {
    return Number((address - this.range.first) >> this.#blockBits);
  }

  #cidrOf(block: number): Cidr {
    const { family, first } = this.range;
    return { family, first: first + (BigInt(block) << this.#blockBits), bits: this.nodeMask };
  }

  /** The number of address bits within a block. */
  get #blockBits(): bigint {
    return BigInt(ADDRESS_BITS[this.range.family] - this.nodeMask);
  }
}

interface Found {
  readonly block: number;
  readonly tries: number;
  /** To whom it is already offered. */
  readonly others: Set<string>;
}
