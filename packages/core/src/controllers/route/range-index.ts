import { ADDRESS_BITS, type AddressFamily, type Cidr, lastAddress } from "../../model/cidr.ts";

/** Those who have just one range. */
interface Group {
  readonly range: Cidr;
  readonly names: Set<string>;
}

/**
 * Names by the ranges that they have. Of two ranges that overlap one lies within the other, so that whoever has a part of a
 * range is found by the few lengths that there are and by the order of first addresses, however many ranges there are.
 */
export class RangeIndex {
  readonly #groups = new Map<string, Group>();
  /** By first address, then the longer range first. */
  readonly #sorted: Record<AddressFamily, Group[]> = { IPv4: [], IPv6: [] };
  /** How many groups there are of each length of mask. */
  readonly #lengths: Record<AddressFamily, Map<number, number>> = {
    IPv4: new Map(),
    IPv6: new Map(),
  };

  add(name: string, range: Cidr): void {
    const group = this.#groups.get(keyOf(range)) ?? this.#open(range);
    group.names.add(name);
  }

  remove(name: string, range: Cidr): void {
    const group = this.#groups.get(keyOf(range));
    group?.names.delete(name);
    if (group?.names.size === 0) this.#close(group);
  }

  /** Those who have just this range. */
  having(range: Cidr): readonly string[] {
    return [...(this.#groups.get(keyOf(range))?.names ?? [])];
  }

  /** Those who have it, a part of it, or a range that it is a part of. */
  overlapping(range: Cidr): readonly string[] {
    const groups = [...this.#around(range), ...this.#within(range)];
    return [...new Set(groups.flatMap(({ names }) => [...names]))];
  }

  /** The range itself and those that it is a part of. */
  #around({ family, first, bits }: Cidr): readonly Group[] {
    const lengths = [...this.#lengths[family].keys()].filter((length) => length <= bits);
    return lengths.flatMap((length) => {
      const rest = BigInt(ADDRESS_BITS[family] - length);
      const whole = { family, first: (first >> rest) << rest, bits: length };
      return this.#groups.get(keyOf(whole)) ?? [];
    });
  }

  /** Its parts, the range itself not among them. */
  #within(range: Cidr): readonly Group[] {
    const { family, bits } = range;
    if (![...this.#lengths[family].keys()].some((length) => length > bits)) return [];
    const sorted = this.#sorted[family];
    const last = lastAddress(range);
    const groups: Group[] = [];
    for (let at = placeOf(sorted, range); at < sorted.length; at++) {
      const group = sorted[at];
      if (group === undefined || group.range.first > last) break;
      if (group.range.bits > bits) groups.push(group);
    }
    return groups;
  }

  #open(range: Cidr): Group {
    const { family, bits } = range;
    const group = { range, names: new Set<string>() };
    this.#groups.set(keyOf(range), group);
    this.#sorted[family].splice(placeOf(this.#sorted[family], range), 0, group);
    const lengths = this.#lengths[family];
    lengths.set(bits, (lengths.get(bits) ?? 0) + 1);
    return group;
  }

  #close({ range }: Group): void {
    const { family, bits } = range;
    this.#groups.delete(keyOf(range));
    this.#sorted[family].splice(placeOf(this.#sorted[family], range), 1);
    const lengths = this.#lengths[family];
    const left = (lengths.get(bits) ?? 1) - 1;
    if (left === 0) lengths.delete(bits);
    else lengths.set(bits, left);
  }
}

function keyOf({ family, first, bits }: Cidr): string {
  return `${family} ${first} ${bits}`;
}

/** Where a range is, or would be, in the order of first addresses and lengths. */
function placeOf(sorted: readonly Group[], { first, bits }: Cidr): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = sorted[middle]?.range;
    const isBefore =
      other !== undefined && (other.first < first || (other.first === first && other.bits < bits));
    if (isBefore) from = middle + 1;
    else to = middle;
  }
  return from;
}
