import type { Node } from "../../../kube/client.ts";
import {
  ADDRESS_BITS,
  type AddressFamily,
  formatCidr,
  overlaps,
} from "../../../model/values/cidr.ts";
import { createdAtOf, nameOf } from "../../objects/object-meta.ts";
import { type IpRange, rangesIn } from "./pod-ranges.ts";

/** A Node that also has a pod range of another Node. */
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
 * Which Node has which pod range. If two have the same range, or one lies within the other's, the older keeps it:
 * otherwise packets to its pods would be misrouted (upstream creates both routes, spec/40 §3).
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

  /**
   * Returns the Node to which the range belongs: the oldest that has it, unless an older one has an overlapping
   * range.
   */
  holderOf(range: IpRange): string | undefined {
    return this.#index.having(range).find((name) => this.rivalOf(name, range) === undefined);
  }

  /** Returns the names of the Nodes that have exactly this range. */
  having(range: IpRange): readonly string[] {
    return this.#index.having(range);
  }

  /** Returns the older Node that prevents this one from having the range. */
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

  /** Returns the names of the Nodes that have one of these ranges or a part of it. */
  sharing(ranges: readonly IpRange[]): ReadonlySet<string> {
    return new Set(ranges.flatMap((range) => this.#index.overlapping(range)));
  }

  #overlapping(range: IpRange): readonly Claim[] {
    return this.#index.overlapping(range).flatMap((name) => this.#byName.get(name) ?? []);
  }
}

/**
 * Of two created in the same second, the one whose name comes first counts as older, so that all leaders and
 * controllers agree.
 */
function isOlder(one: Claim, other: Claim): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.name < other.name;
}

/** All that have exactly one range. */
interface Group {
  readonly range: IpRange;
  readonly names: Set<string>;
}

/**
 * Names by the ranges that they have. If two ranges overlap, one lies within the other. So everything that overlaps a range
 * is found by the few prefix lengths in use and the order of first addresses, however many ranges there are.
 */
export class RangeIndex {
  /** By the range's text. */
  readonly #groups = new Map<string, Group>();
  /** By first address, then the longer range first. */
  readonly #sorted: Record<AddressFamily, Group[]> = { IPv4: [], IPv6: [] };
  /** How many groups there are of each prefix length. */
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

  /** Returns who has exactly this range. */
  having(range: IpRange): readonly string[] {
    return [...(this.#groups.get(range.text)?.names ?? [])];
  }

  /** Returns who has the range, a part of it, or a range that contains it. */
  overlapping(range: IpRange): readonly string[] {
    const names: string[] = [];
    for (const group of this.#around(range)) names.push(...group.names);
    for (const group of this.#within(range)) names.push(...group.names);
    return names.length === 1 ? names : [...new Set(names)];
  }

  /** Returns the range itself and those that contain it. */
  #around({ text, family, first, bits }: IpRange): readonly Group[] {
    const groups: Group[] = [];
    for (const length of this.#lengths[family].keys()) {
      if (length > bits) continue;
      const group = this.#groups.get(length === bits ? text : textAround(family, first, length));
      if (group !== undefined) groups.push(group);
    }
    return groups;
  }

  /** Returns the parts of the range, without the range itself. */
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

/** Returns the range of that prefix length around an address. */
function textAround(family: AddressFamily, address: bigint, bits: number): string {
  const rest = BigInt(ADDRESS_BITS[family] - bits);
  return formatCidr({ family, first: (address >> rest) << rest, bits });
}

/** Returns the position of a range, present or not, in the order of first addresses and lengths. */
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
