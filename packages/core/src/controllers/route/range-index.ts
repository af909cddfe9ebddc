import { ADDRESS_BITS, type AddressFamily, formatCidr } from "../../model/cidr.ts";
import type { IpRange } from "./pod-ranges.ts";

/** Those who have just one range. */
interface Group {
  readonly range: IpRange;
  readonly names: Set<string>;
}

/**
 * Names by the ranges that they have. Of two ranges that overlap one lies within the other, so that whoever has a part of a
 * range is found by the few lengths that there are and by the order of first addresses, however many ranges there are.
 */
export class RangeIndex {
  /** By the range's text. */
  readonly #groups = new Map<string, Group>();
  /** By first address, then the longer range first. */
  readonly #sorted: Record<AddressFamily, Group[]> = { IPv4: [], IPv6: [] };
  /** How many groups there are of each length of mask. */
  readonly #lengths: Record<AddressFamily, Map<number, number>> = {
    IPv4: new Map(),
    IPv6: new Map(),
  };

  add(name: string, range: IpRange): void {
    const group = this.#groups.get(range.text) ?? this.#open(range);
    group.names.add(name);
  }

  remove(name: string, range: IpRange): void {
    const group = this.#groups.get(range.text);
    group?.names.delete(name);
    if (group?.names.size === 0) this.#close(group);
  }

  /** Those who have just this range. */
  having(range: IpRange): readonly string[] {
    return [...(this.#groups.get(range.text)?.names ?? [])];
  }

  /** Those who have it, a part of it, or a range that it is a part of. */
  overlapping(range: IpRange): readonly string[] {
    const names: string[] = [];
    for (const group of this.#around(range)) names.push(...group.names);
    for (const group of this.#within(range)) names.push(...group.names);
    return names.length === 1 ? names : [...new Set(names)];
  }

  /** The range itself and those that it is a part of. */
  #around({ text, family, first, bits }: IpRange): readonly Group[] {
    const groups: Group[] = [];
    for (const length of this.#lengths[family].keys()) {
      if (length > bits) continue;
      const group = this.#groups.get(length === bits ? text : textAround(family, first, length));
      if (group !== undefined) groups.push(group);
    }
    return groups;
  }

  /** Its parts, the range itself not among them. */
  #within(range: IpRange): readonly Group[] {
    const { family, bits, last } = range;
    if (Math.max(...this.#lengths[family].keys()) <= bits) return [];
    const sorted = this.#sorted[family];
    const groups: Group[] = [];
    for (let at = placeOf(sorted, range); at < sorted.length; at++) {
      const group = sorted[at];
      if (group === undefined || group.range.first > last) break;
      if (group.range.bits > bits) groups.push(group);
    }
    return groups;
  }

  #open(range: IpRange): Group {
    const { family, bits } = range;
    const group = { range, names: new Set<string>() };
    this.#groups.set(range.text, group);
    this.#sorted[family].splice(placeOf(this.#sorted[family], range), 0, group);
    const lengths = this.#lengths[family];
    lengths.set(bits, (lengths.get(bits) ?? 0) + 1);
    return group;
  }

  #close({ range }: Group): void {
    const { family, bits } = range;
    this.#groups.delete(range.text);
    this.#sorted[family].splice(placeOf(this.#sorted[family], range), 1);
    const lengths = this.#lengths[family];
    const left = (lengths.get(bits) ?? 1) - 1;
    if (left === 0) lengths.delete(bits);
    else lengths.set(bits, left);
  }
}

/** The range of that length around an address. */
function textAround(family: AddressFamily, address: bigint, bits: number): string {
  const rest = BigInt(ADDRESS_BITS[family] - bits);
  return formatCidr({ family, first: (address >> rest) << rest, bits });
}

/** Where a range is, or would be, in the order of first addresses and lengths. */
function placeOf(sorted: readonly Group[], { first, bits }: IpRange): number {
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
