import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Cidr, contains, formatCidr, overlaps, parseCidr } from "../../model/values/cidr.ts";
import { BlockPool, type ClusterRange } from "./block-pool.ts";

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if (parsed === undefined) throw new Error(`${text} is no range`);
  return parsed;
}

function pool(range: string, nodeMask: number, ...excluded: readonly string[]): BlockPool {
  return new BlockPool({ cidr: cidr(range), nodeMask }, excluded.map(cidr));
}

/** Offers a block and takes it, like a node; undefined when there is none. */
function take(from: BlockPool, owner: string): string | undefined {
  const block = from.offer(owner)?.cidr;
  if (block === undefined) return undefined;
  from.add(owner, block);
  from.endOffer(owner, block);
  return formatCidr(block);
}

function takeAll(from: BlockPool): readonly string[] {
  const all: string[] = [];
  for (let block = take(from, "n0"); block !== undefined; block = take(from, `n${all.length}`)) {
    all.push(block);
  }
  return all;
}

describe("the blocks of a range", () => {
  it.each([
    ["10.120.0.0/22", 24, ["10.120.0.0/24", "10.120.1.0/24", "10.120.2.0/24", "10.120.3.0/24"]],
    ["10.0.0.0/24", 24, ["10.0.0.0/24"]],
    ["10.0.0.6/31", 32, ["10.0.0.6/32", "10.0.0.7/32"]],
    [
      "fd00:120::/62",
      64,
      ["fd00:120::/64", "fd00:120:0:1::/64", "fd00:120:0:2::/64", "fd00:120:0:3::/64"],
    ],
  ])("of %s by /%i are given in order, and no more", (range, nodeMask, blocks) => {
    expect(takeAll(pool(range, nodeMask))).toEqual(blocks);
  });

  it("are as many as the masks allow, even at the limits", () => {
    expect(pool("fd00::/48", 64).capacity).toBe(65_536);
    expect(pool("0.0.0.0/0", 32).capacity).toBe(2 ** 32);
    expect(pool("10.0.0.0/8", 8).capacity).toBe(1);
  });

  it("are reused only after all others were given", () => {
    const blocks = pool("10.0.0.0/22", 24);
    const first = take(blocks, "n1");
    blocks.remove("n1", cidr(first ?? ""));
    expect(takeAll(blocks)).toEqual(["10.0.1.0/24", "10.0.2.0/24", "10.0.3.0/24", "10.0.0.0/24"]);
  });

  it("are not given where Services live, whether in a part of a block or the whole range", () => {
    expect(takeAll(pool("10.0.0.0/22", 24, "10.0.1.0/25", "10.0.3.128/32"))).toEqual([
      "10.0.0.0/24",
      "10.0.2.0/24",
    ]);
    const full = pool("10.0.0.0/22", 24, "10.0.0.0/8");
    expect([full.used, takeAll(full)]).toEqual([4, []]);
    expect(takeAll(pool("10.0.0.0/23", 24, "10.96.0.0/12", "fd00::/48"))).toHaveLength(2);
  });

  it("are different for two simultaneous requests, except that the last one is offered to both", () => {
    const blocks = pool("10.0.0.0/23", 24);
    const one = blocks.offer("n1")?.cidr;
    const other = blocks.offer("n2")?.cidr;
    expect(one).not.toEqual(other);
    const third = blocks.offer("n3")?.cidr;
    expect([one, other]).toContainEqual(third);
    expect(blocks.used).toBe(0);
  });

  it("are counted once, however many nodes have a part of one", () => {
    const changes: number[] = [];
    const blocks = new BlockPool({ cidr: cidr("10.0.0.0/22"), nodeMask: 24 }, [], (change) =>
      changes.push(change),
    );
    blocks.add("n1", cidr("10.0.0.0/25"));
    blocks.add("n2", cidr("10.0.0.128/25"));
    blocks.add("n3", cidr("10.0.0.0/23"));
    blocks.add("n4", cidr("10.0.0.0/8"));
    blocks.add("n5", cidr("192.168.0.0/24"));
    expect(blocks.used).toBe(4);
    for (const [owner, range] of [
      ["n4", "10.0.0.0/8"],
      ["n3", "10.0.0.0/23"],
      ["n1", "10.0.0.0/25"],
      ["n2", "10.0.0.128/25"],
    ] as const) {
      blocks.remove(owner, cidr(range));
    }
    expect(blocks.used).toBe(0);
    expect(changes).toEqual([1, 1, 2, -2, -1, -1]);
  });

  it("are found at once beside thousands of nodes that have larger ones", () => {
    const blocks = pool("10.0.0.0/8", 26);
    for (let node = 0; node < 5_000; node++) {
      blocks.add(`n${node}`, cidr(`10.${node >> 8}.${node & 255}.0/24`));
    }
    expect(blocks.used).toBe(20_000);
    expect(blocks.offer("new")).toMatchObject({ cidr: cidr("10.19.136.0/26") });
    expect(blocks.ownersOf(cidr("10.0.0.0/23"))).toEqual(new Set(["n0", "n1"]));
  });

  it("report how many rows were examined", () => {
    const blocks = pool("10.0.0.0/20", 24, "10.0.0.0/22");
    expect(blocks.offer("n1")?.tries).toBe(2);
    expect(blocks.offer("n2")?.tries).toBe(1);
  });
});

const someRange = fc
  .constantFrom("IPv4" as const, "IPv6" as const)
  .chain((family) =>
    fc.record({
      bits: fc.integer({ min: 8, max: family === "IPv4" ? 32 : 64 }),
      more: fc.integer({ min: 0, max: 6 }),
      family: fc.constant(family),
    }),
  )
  .map(({ family, bits, more }): ClusterRange => {
    const width = family === "IPv4" ? 32 : 128;
    const base = family === "IPv4" ? cidr("10.0.0.0/8").first : cidr("fd00::/8").first;
    return { cidr: { family, first: base, bits }, nodeMask: Math.min(width, bits + more) };
  });

/** A part of a range, anywhere in it and of any size, or a range around it. */
function partOf({ cidr: range, nodeMask }: ClusterRange): fc.Arbitrary<Cidr> {
  const width = range.family === "IPv4" ? 32 : 128;
  return fc
    .tuple(fc.integer({ min: range.bits - 4, max: width }), fc.bigInt(0n, (1n << 64n) - 1n))
    .map(([bits, random]) => {
      const size = 1n << BigInt(width - range.bits);
      const host = BigInt(width - bits);
      const address = range.first + ((random << BigInt(width - nodeMask)) % size);
      return { family: range.family, first: (address >> host) << host, bits };
    });
}

const someSteps = fc.array(
  fc.record({ kind: fc.constantFrom("take", "release", "mark"), pick: fc.nat(1_000) }),
  { maxLength: 120 },
);

/** Mirrors a pool in a plain record of who has what. */
class Account {
  readonly taken = new Map<string, Cidr>();
  readonly pool: BlockPool;
  readonly #range: ClusterRange;
  readonly #excluded: readonly Cidr[];

  constructor(range: ClusterRange, excluded: readonly Cidr[]) {
    this.pool = new BlockPool(range, excluded);
    this.#range = range;
    this.#excluded = excluded;
  }

  step(
    kind: string,
    owner: string,
    { pick, mark }: { readonly pick: number; readonly mark: Cidr },
  ): void {
    if (kind === "take") this.take(owner);
    else if (kind === "mark") this.mark(owner, mark);
    else this.release(pick);
  }

  take(owner: string): void {
    const block = this.pool.offer(owner)?.cidr;
    if (block === undefined) {
      expect(this.pool.used).toBe(this.pool.capacity);
      return;
    }
    const { cidr: whole, nodeMask } = this.#range;
    expect(contains(whole, block) && block.bits === nodeMask).toBe(true);
    const others = [...this.taken.values(), ...this.#excluded];
    expect(others.some((other) => overlaps(other, block))).toBe(false);
    this.mark(owner, block);
    this.pool.endOffer(owner, block);
  }

  mark(owner: string, block: Cidr): void {
    this.pool.add(owner, block);
    this.taken.set(owner, block);
  }

  release(pick: number): void {
    const [owner, block] = [...this.taken][pick % Math.max(1, this.taken.size)] ?? [];
    if (owner === undefined || block === undefined) return;
    this.pool.remove(owner, block);
    this.taken.delete(owner);
  }
}

describe("whatever is taken, released and marked", () => {
  const fixture = someRange.chain((range) =>
    fc.record({
      range: fc.constant(range),
      excluded: fc.array(partOf(range), { maxLength: 2 }),
      marks: fc.array(partOf(range), { minLength: 1, maxLength: 5 }),
      steps: someSteps,
    }),
  );

  it("no block is given twice, none outside the range or of a Service, and none stays lost", () => {
    fc.assert(
      fc.property(fixture, ({ range, excluded, marks, steps }) => {
        const account = new Account(range, excluded);
        for (const [index, { kind, pick }] of steps.entries()) {
          account.step(kind, `n${index}`, { pick, mark: marks[pick % marks.length] ?? range.cidr });
        }
        while (account.taken.size > 0) account.release(0);
        const kept = new BlockPool(range, excluded).used;
        expect(account.pool.used).toBe(kept);
        expect(takeAll(account.pool)).toHaveLength(account.pool.capacity - kept);
      }),
    );
  });
});
