import type { Node } from "../../kube/client.ts";
import { type Cidr, formatCidr, overlaps, parseCidr } from "../../model/cidr.ts";
import type { Reason } from "../../model/reason.ts";
import { createdAtOf, nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import { BlockPool, type ClusterRange } from "./block-pool.ts";
import { cidrsOfNode, problemsWithin } from "./judge-cidrs.ts";

export interface AllocationOptions {
  /** One for each address family at most; pod ranges are given in this order. */
  readonly ranges: readonly ClusterRange[];
  /** Ranges of Services, kept out of the pods'. */
  readonly serviceRanges: readonly Cidr[];
  readonly meter: AllocationMeter;
  /** Nothing is ever taken: what was offered to one node is not offered to another. */
  readonly dryRun: boolean;
  /** Asks for a look at a node, because of what became of others. */
  wake(name: string, why: string): void;
}

export interface AllocationMeter {
  /** By how many the used blocks of a range became more, or less. */
  used(range: string, change: number): void;
  /** How many blocks were looked at until a free one was found. */
  tries(range: string, count: number): void;
}

/** What a node without pod ranges can have. */
export type Offer =
  /** In the order of the cluster's ranges. */
  | { readonly kind: "blocks"; readonly cidrs: readonly string[] }
  | { readonly kind: "exhausted"; readonly range: string; readonly capacity: number };

/** Which node has which pod ranges. */
interface Holding {
  readonly name: string;
  readonly createdAt: number;
  readonly cidrs: readonly Cidr[];
  /** `reserved`: not known to be written yet. `doubtful`: an answer was lost, so that it may be written at any time. */
  readonly kind: "seen" | "reserved" | "doubtful";
}

interface OpenOffer {
  readonly cidrs: readonly Cidr[];
  readonly tries: readonly number[];
}

/**
 * Which pod range belongs to which Node, by UID. It is nothing but what the Nodes say, and what was reserved for a write
 * that is on its way; so that it can be read anew from the Nodes at any time (spec/40 §10, IW-6). A reserved block stays
 * its node's until the Node says what it has, or is gone, or the write has certainly failed: it is never given twice, and
 * never lost (IW-2).
 */
export class Allocations {
  readonly pools: readonly BlockPool[];
  readonly serviceRanges: readonly Cidr[];
  readonly #options: AllocationOptions;
  readonly #holdings = new Map<string, Holding>();
  readonly #offers = new Map<string, OpenOffer>();
  /** Names of nodes for which no block was left, by UID. */
  readonly #waiting = new Map<string, string>();

  constructor(options: AllocationOptions) {
    this.#options = options;
    this.serviceRanges = options.serviceRanges;
    this.pools = options.ranges.map((range) => {
      const name = formatCidr(range.cidr);
      return new BlockPool(range, options.serviceRanges, (change) =>
        options.meter.used(name, change),
      );
    });
  }

  /** Learns from a Node what it has. A Node that has nothing yet tells nothing: its view may be old. */
  see(node: Node): void {
    const uid = uidOf(node);
    if (podCidrsOf(node).length === 0 || this.#holdings.get(uid)?.kind === "seen") return;
    const cidrs = cidrsOfNode(node);
    const reserved = this.#holdings.get(uid)?.cidrs ?? [];
    this.#endOffer(uid);
    this.#waiting.delete(uid);
    this.#hold(uid, { name: nameOf(node), createdAt: createdAtOf(node), cidrs, kind: "seen" });
    for (const name of this.#sharing(uid, cidrs)) {
      this.#options.wake(name, "another node with its pod range");
    }
    if (without(reserved, cidrs).length > 0) this.#tellFree();
  }

  /**
   * Learns from the answer to a call what a Node with a reservation has. Without one it is gone by now: news of that may come
   * before the answer to what was asked earlier.
   */
  settle(node: Node): void {
    if (this.#holdings.has(uidOf(node))) this.see(node);
  }

  /** The Node is gone from the API: what it had is free. */
  gone(uid: string): void {
    this.#endOffer(uid);
    this.#waiting.delete(uid);
    const { cidrs } = this.#holdings.get(uid) ?? { cidrs: [] };
    const sharing = this.#sharing(uid, cidrs);
    this.#drop(uid);
    for (const name of sharing) this.#options.wake(name, "the other node with its pod range");
    if (cidrs.length > 0) this.#tellFree();
  }

  /**
   * What could be given to a node that has nothing: the same until it is taken, what is reserved for it already, or that
   * there is nothing left, and then the node is woken when there is.
   */
  offer(node: Node): Offer {
    const uid = uidOf(node);
    const known = this.#holdings.get(uid)?.cidrs ?? this.#openOffer(uid)?.cidrs;
    if (known !== undefined) return { kind: "blocks", cidrs: known.map(formatCidr) };
    const blocks = this.pools.map((pool) => pool.offer(uid, !this.#options.dryRun));
    const free = blocks.filter((block) => block !== undefined);
    const cidrs = free.map(({ cidr }) => cidr);
    this.#offers.set(uid, { cidrs, tries: free.map(({ tries }) => tries) });
    const full = this.pools[blocks.indexOf(undefined)];
    if (full === undefined) return { kind: "blocks", cidrs: cidrs.map(formatCidr) };
    this.#endOffer(uid);
    this.#waiting.set(uid, nameOf(node));
    return { kind: "exhausted", range: full.name, capacity: full.capacity };
  }

  /** Takes the blocks of an offer for the node, all or none. False when somebody else has one of them by now. */
  reserve(node: Node, cidrs: readonly string[]): boolean {
    const uid = uidOf(node);
    const known = this.#holdings.get(uid);
    if (known !== undefined) return known.cidrs.map(formatCidr).join() === cidrs.join();
    const offer = this.#openOffer(uid);
    if (offer?.cidrs.map(formatCidr).join() !== cidrs.join()) return false;
    this.#waiting.delete(uid);
    this.#hold(uid, {
      name: nameOf(node),
      createdAt: createdAtOf(node),
      cidrs: offer.cidrs,
      kind: "reserved",
    });
    for (const [index, tries] of offer.tries.entries()) {
      this.#options.meter.tries(this.pools[index]?.name ?? "", tries);
    }
    this.#endOffer(uid);
    return true;
  }

  /** A write whose answer was lost: what was reserved is given back by nothing but the Node itself. */
  doubt(uid: string): void {
    const holding = this.#holdings.get(uid);
    if (holding?.kind === "reserved") this.#holdings.set(uid, { ...holding, kind: "doubtful" });
  }

  /** Gives back what was reserved, as the write was certainly not made. */
  release(uid: string): void {
    const holding = this.#holdings.get(uid);
    if (holding?.kind !== "reserved") return;
    this.#drop(uid);
    this.#tellFree();
  }

  /** What is wrong with the pod ranges that a Node has; of two nodes with one range the younger is wrong. */
  problemsOf(node: Node): readonly Reason[] {
    return podCidrsOf(node).flatMap((text): readonly Reason[] => {
      const problem = problemsWithin(this, text);
      if (problem !== undefined) return [problem];
      const cidr = parseCidr(text);
      const other = cidr === undefined ? undefined : this.#olderOwner(node, cidr);
      return other === undefined ? [] : [{ code: "PodCIDRDuplicate", cidr: text, other }];
    });
  }

  #hold(uid: string, holding: Holding): void {
    const before = this.#holdings.get(uid)?.cidrs ?? [];
    this.#holdings.set(uid, holding);
    for (const pool of this.pools) {
      for (const cidr of without(before, holding.cidrs)) pool.remove(uid, cidr);
      for (const cidr of without(holding.cidrs, before)) pool.add(uid, cidr);
    }
  }

  #drop(uid: string): void {
    const { cidrs } = this.#holdings.get(uid) ?? { cidrs: [] };
    this.#holdings.delete(uid);
    for (const pool of this.pools) for (const cidr of cidrs) pool.remove(uid, cidr);
  }

  #tellFree(): void {
    for (const name of [...this.#waiting.values()]) {
      this.#options.wake(name, "a pod range became free");
    }
  }

  /** An offer of which nobody has taken a block meanwhile. */
  #openOffer(uid: string): OpenOffer | undefined {
    const offer = this.#offers.get(uid);
    if (offer === undefined) return undefined;
    const isTaken = offer.cidrs.some((cidr, index) => this.pools[index]?.isUsedByOthers(uid, cidr));
    if (!isTaken) return offer;
    this.#endOffer(uid);
    return undefined;
  }

  #endOffer(uid: string): void {
    for (const cidr of this.#offers.get(uid)?.cidrs ?? []) {
      for (const pool of this.pools) pool.endOffer(uid, cidr);
    }
    this.#offers.delete(uid);
  }

  /** The names of the other nodes that say to have a part of these ranges. */
  #sharing(uid: string, cidrs: readonly Cidr[]): readonly string[] {
    return cidrs.flatMap((cidr) => this.#othersWith(uid, cidr).map(({ name }) => name));
  }

  #olderOwner(node: Node, cidr: Cidr): string | undefined {
    const createdAt = createdAtOf(node);
    const name = nameOf(node);
    const older = this.#othersWith(uidOf(node), cidr).filter(
      (other) =>
        other.createdAt < createdAt || (other.createdAt === createdAt && other.name < name),
    );
    return older[0]?.name;
  }

  #othersWith(uid: string, cidr: Cidr): readonly Holding[] {
    const owners = this.pools.flatMap((pool) => [...pool.ownersOf(cidr)]);
    return owners.flatMap((owner) => {
      const holding = owner === uid ? undefined : this.#holdings.get(owner);
      if (holding?.kind !== "seen") return [];
      return holding.cidrs.some((other) => overlaps(other, cidr)) ? [holding] : [];
    });
  }
}

function without(cidrs: readonly Cidr[], others: readonly Cidr[]): readonly Cidr[] {
  const texts = new Set(others.map(formatCidr));
  return cidrs.filter((cidr) => !texts.has(formatCidr(cidr)));
}
