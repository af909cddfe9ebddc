import type { Node } from "../../kube/client.ts";
import { overlaps } from "../../model/cidr.ts";
import { createdAtOf, nameOf, uidOf } from "../object-meta.ts";
import { type IpRange, rangesIn } from "./pod-ranges.ts";

/** A Node that has a pod range which another one has, too. */
export interface Rival {
  readonly name: string;
  /** Its range, canonical. */
  readonly cidr: string;
}

interface Claim {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly ranges: readonly IpRange[];
}

/**
 * Which Node has which pod range. Of two that have the same, or one that lies within the other's, the older keeps it: the
 * packets of its pods would else be led astray (upstream makes both routes, spec/40 §3).
 */
export class Claims {
  readonly #byName = new Map<string, Claim>();
  /** Names of the Nodes that have just this range. */
  readonly #byText = new Map<string, Set<string>>();
  /** How many ranges there are of a length; most clusters have one length a family, and then only equal ranges overlap. */
  readonly #lengths = new Map<string, number>();

  set(node: Node): void {
    const name = nameOf(node);
    this.remove(name);
    const ranges = rangesIn(node);
    if (ranges.length === 0) return;
    this.#byName.set(name, { name, uid: uidOf(node), createdAt: createdAtOf(node), ranges });
    for (const range of ranges) this.#enter(name, range);
  }

  remove(name: string): void {
    const claim = this.#byName.get(name);
    this.#byName.delete(name);
    for (const range of claim?.ranges ?? []) this.#leave(name, range);
  }

  /** The Node that the range is for: the oldest that has it, unless an older one has a range that overlaps. */
  holderOf(range: IpRange): string | undefined {
    const names = [...(this.#byText.get(range.text) ?? [])];
    return names.find((name) => this.rivalOf(name, range) === undefined);
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
    return new Set(ranges.flatMap((range) => this.#overlapping(range).map(({ name }) => name)));
  }

  #overlapping(range: IpRange): readonly Claim[] {
    if (this.#hasOtherLengths(range)) {
      return [...this.#byName.values()].filter(({ ranges }) =>
        ranges.some((one) => overlaps(one, range)),
      );
    }
    const names = [...(this.#byText.get(range.text) ?? [])];
    return names.flatMap((name) => this.#byName.get(name) ?? []);
  }

  #hasOtherLengths({ family, bits }: IpRange): boolean {
    return [...this.#lengths.keys()].some(
      (length) => length.startsWith(family) && length !== `${family}/${bits}`,
    );
  }

  #enter(name: string, { text, family, bits }: IpRange): void {
    const names = this.#byText.get(text) ?? new Set();
    this.#byText.set(text, names.add(name));
    const length = `${family}/${bits}`;
    this.#lengths.set(length, (this.#lengths.get(length) ?? 0) + 1);
  }

  #leave(name: string, { text, family, bits }: IpRange): void {
    const names = this.#byText.get(text);
    names?.delete(name);
    if (names?.size === 0) this.#byText.delete(text);
    const length = `${family}/${bits}`;
    const left = (this.#lengths.get(length) ?? 1) - 1;
    if (left === 0) this.#lengths.delete(length);
    else this.#lengths.set(length, left);
  }
}

/** Of two of the same second the one whose UID comes first, so that all leaders agree. */
function isOlder(one: Claim, other: Claim): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt;
  return one.uid < other.uid;
}
