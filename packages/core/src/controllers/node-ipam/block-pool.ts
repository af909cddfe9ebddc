import {
  ADDRESS_BITS,
  type Cidr,
  contains,
  formatCidr,
  lastAddress,
  overlaps,
} from "../../model/values/cidr.ts";
import { type Blocks, BlockUse } from "./block-use.ts";

/** A range of the cluster and how it is cut into blocks, one for a node. */
export interface ClusterRange {
  readonly cidr: Cidr;
  /** The mask of a block: at least the range's own. */
  readonly nodeMask: number;
}

/** A block that nobody uses. */
export interface FreeBlock {
  readonly cidr: Cidr;
  /** How many rows of blocks were looked at until one was free. */
  readonly tries: number;
}

/** Who keeps a part of the range out of use. */
const KEPT_OUT = "";

/**
 * The blocks of one range of the cluster. Free ones are offered round-robin: a block that was released just now comes last, so
 * that what still remembers its former node has time to forget (spec/40 §10).
 */
export class BlockPool {
  readonly range: Cidr;
  readonly nodeMask: number;
  /** All blocks, those kept out of use, too. */
  readonly capacity: number;
  readonly #use = new BlockUse();
  /** Free blocks that were offered and are not taken yet, with those to whom; the one offered longest ago first. */
  readonly #offered = new Map<number, Set<string>>();
  readonly #onUsed: (change: number) => void;
  #next = 0;

  /**
   * `excluded` are ranges of Services. `onUsed` gets by how many the number of used blocks rose or fell, if at all.
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

  /** How many blocks are not to be had: of nodes, or kept out of use. */
  get used(): number {
    return this.#use.used;
  }

  get name(): string {
    return formatCidr(this.range);
  }

  contains(cidr: Cidr): boolean {
    return contains(this.range, cidr);
  }

  /** Those who use a block of which the range has a part; for what is kept out of use, the empty name. */
  ownersOf(cidr: Cidr): ReadonlySet<string> {
    const blocks = this.#blocksOf(cidr);
    return blocks === undefined ? new Set() : this.#use.ownersOf(blocks);
  }

  /**
   * Marks what an owner has, also when it has it twice or shares it; what lies outside is nothing of this pool's. Answers
   * the others to whom a part of it was offered: they need another block.
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
   * The next free block; undefined when all are used. It is not used by being offered, and the last ones are offered to many
   * when they may be shared.
   */
  offer(owner: string, mayBeShared = true): FreeBlock | undefined {
    if (this.used >= this.capacity) return undefined;
    const found = this.#unoffered() ?? (mayBeShared ? this.#offeredLongest() : undefined);
    if (found === undefined) return undefined;
    this.#offered.set(found.block, found.others.add(owner));
    return { cidr: this.#cidrOf(found.block), tries: found.tries };
  }

  /** Takes an offer back. */
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

  /** Every free block is offered to somebody: the next to share goes last from now on. */
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

  /** The blocks that a range has a part of; undefined when it lies outside. */
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

  /** How many bits are left to the addresses within a block. */
  get #blockBits(): bigint {
    return BigInt(ADDRESS_BITS[this.range.family] - this.nodeMask);
  }
}

interface Found {
  readonly block: number;
  readonly tries: number;
  /** To whom it is offered already. */
  readonly others: Set<string>;
}
