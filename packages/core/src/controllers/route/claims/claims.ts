import type { Node } from "../../../kube/client.ts";
import {
  ADDRESS_BITS,
  type AddressFamily,
  formatCidr,
  overlaps,
} from "../../../model/values/cidr.ts";
import { createdAtOf, nameOf } from "../../objects/object-meta.ts";
import { type IpRange, rangesIn } from "./pod-ranges.ts";

/** A Node that has a pod range which another one has, too. */
export interface Rival {
  readonly name: string;
  /** Its range, canonical. */
  readonly cidr: string;
}

interface Claim {
  readonly name: string;
  readonly createdAt: number;
  readonly ranges: readonly IpRange[];
}

/**
 * Which Node has which pod range. Of two that have the same, or one that lies within the other's, the older keeps it: the
 * packets of its pods would else be led astray (upstream makes both routes, spec/40 §3).
 */
export class Claims {
  readonly #byName = new Map<string, Claim>();
  readonly #index = new RangeIndex();

  set(node: Node): void {
    const name = nameOf(node);
    this.remove(name);
    const ranges = rangesIn(node);
    if (ranges.length === 0) return;
    this.#byName.set(name, { name, createdAt: createdAtOf(node), ranges });
    for (const range of ranges) this.#index.add(name, range);
  }

  remove(name: string): void {
    const claim = this.#byName.get(name);
    this.#byName.delete(name);
    for (const range of claim?.ranges ?? []) this.#index.remove(name, range);
  }

  /** The Node that the range is for: the oldest that has it, unless an older one has a range that overlaps. */
  holderOf(range: IpRange): string | undefined {
    return this.#index.having(range).find((name) => this.rivalOf(name, range) === undefined);
  }

  /** Names of the Nodes that have just this range. */
  having(range: IpRange): readonly string[] {
    return this.#index.having(range);
  }

  /** The older Node because of which this one cannot have the range. */
  rivalOf(name: string, range: IpRange): Rival | undefined {
    const mine = this.#byName.get(name);
    if (mine === undefined) return undefined;
    for (const other of this.#overlapping(range)) {
      if (other.name === name || !isOlder(other, mine)) continue;
      const cidr = other.ranges.find((one) => overlaps(one, range))?.text ?? range.text;
      return { name: other.name, cidr };
    }
    return undefined;
  }

  /** Names of the Nodes that have one of these ranges or a part of it. */
  sharing(ranges: readonly IpRange[]): ReadonlySet<string> {
    return new Set(ranges.flatMap((range) => this.#index.overlapping(range)));
  }

  #overlapping(range: IpRange): readonly Claim[] {
    return this.#index.overlapping(range).flatMap((name) => this.#byName.get(name) ?? []);
  }
}

/** Of two of the same second the one whose name comes first, so that all leaders and all controllers agree. */
function isOlder(one: Claim, other: Claim): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.name < other.name;
}

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
