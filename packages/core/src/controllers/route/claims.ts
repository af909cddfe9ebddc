import type { Node } from "../../kube/client.ts";
import { overlaps } from "../../model/cidr.ts";
import { createdAtOf, nameOf } from "../objects/object-meta.ts";
import { type IpRange, rangesIn } from "./pod-ranges.ts";
import { RangeIndex } from "./range-index.ts";

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
