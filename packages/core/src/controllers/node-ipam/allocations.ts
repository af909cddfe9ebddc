import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { type Cidr, formatCidr, overlaps, parseCidr } from "../../model/values/cidr.ts";
import { createdAtOf, isDeleting, nameOf, uidOf } from "../objects/object-meta.ts";
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

/** How full one of the cluster's ranges is. */
export interface PoolUse {
  readonly clusterCIDR: string;
  readonly nodeMask: number;
  readonly capacity: number;
  readonly used: number;
}

/** Which node has which pod ranges. */
interface Holding {
  readonly name: string;
  readonly createdAt: number;
  readonly cidrs: readonly Cidr[];
  /** `reserved`: not known to be written yet. `doubtful`: an answer was lost, so that it may be written at any time. */
  readonly kind: "seen" | "reserved" | "doubtful";
}

/** A node without pod ranges: which blocks are kept in mind for it, or the range of which none is left. */
type Need =
  | {
      readonly kind: "offered";
      readonly name: string;
      readonly cidrs: readonly Cidr[];
      readonly tries: readonly number[];
    }
  | { readonly kind: "waiting"; readonly name: string; readonly full: BlockPool };

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
  /** By UID; the one that came first before the others. */
  readonly #needs = new Map<string, Need>();
  #isComplete: boolean = false;

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

  /** As of now. */
  get use(): readonly PoolUse[] {
    return this.pools.map(({ name, nodeMask, capacity, used }) => ({
      ...{ clusterCIDR: name, nodeMask, capacity, used },
    }));
  }

  /** All that Nodes have is known from now on: those without are offered something when they are seen. */
  begin(): void {
    this.#isComplete = true;
  }

  /** Learns from a Node what it has, or that it needs something. */
  see(node: Node): void {
    const uid = uidOf(node);
    const before = this.#holdings.get(uid);
    if (before?.kind === "seen") return;
    const name = nameOf(node);
    if (podCidrsOf(node).length === 0) {
      // What was reserved for it is still on its way.
      if (before === undefined) this.#seeNeed(uid, name, !isDeleting(node));
      return;
    }
    const cidrs = cidrsOfNode(node);
    this.#endNeed(uid);
    this.#hold(uid, { name, createdAt: createdAtOf(node), cidrs, kind: "seen" });
    for (const other of this.#sharing(uid, cidrs)) {
      this.#options.wake(other, "another node with its pod range");
    }
    if (without(before?.cidrs ?? [], cidrs).length > 0) this.#offerOverridden();
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
    this.#endNeed(uid);
    const { cidrs } = this.#holdings.get(uid) ?? { cidrs: [] };
    const sharing = this.#sharing(uid, cidrs);
    this.#drop(uid);
    for (const name of sharing) this.#options.wake(name, "the other node with its pod range");
    this.#offerOverridden();
  }

  /**
   * What a node without pod ranges can have: what is reserved for it already, what is kept in mind for it, or that there is
   * nothing left, and then it is woken when there is. Undefined when it needs nothing. Reads only.
   */
  offerTo(uid: string): Offer | undefined {
    const known = this.#holdings.get(uid) ?? this.#needs.get(uid);
    if (known?.kind !== "waiting") {
      return known === undefined
        ? undefined
        : { kind: "blocks", cidrs: known.cidrs.map(formatCidr) };
    }
    const { name: range, capacity } = known.full;
    return { kind: "exhausted", range, capacity };
  }

  /** Takes the blocks of an offer for the node, all or none. False when somebody else has one of them by now. */
  reserve(node: Node, cidrs: readonly string[]): boolean {
    const uid = uidOf(node);
    const offer = this.#holdings.get(uid) ?? this.#needs.get(uid);
    const isOffered = offer !== undefined && offer.kind !== "waiting";
    if (!isOffered || offer.cidrs.map(formatCidr).join() !== cidrs.join()) return false;
    if (offer.kind !== "offered") return true;
    const name = nameOf(node);
    this.#endNeed(uid);
    this.#hold(uid, { name, createdAt: createdAtOf(node), cidrs: offer.cidrs, kind: "reserved" });
    for (const [index, tries] of offer.tries.entries()) {
      this.#options.meter.tries(this.pools[index]?.name ?? "", tries);
    }
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
    this.#offerOverridden();
    this.#seeNeed(uid, holding.name, true);
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
    const added = without(holding.cidrs, before);
    const lost = this.pools.flatMap((pool) => {
      for (const cidr of without(before, holding.cidrs)) pool.remove(uid, cidr);
      return added.flatMap((cidr) => pool.add(uid, cidr));
    });
    for (const other of new Set(lost)) this.#offerAnew(other);
  }

  #drop(uid: string): void {
    const { cidrs } = this.#holdings.get(uid) ?? { cidrs: [] };
    this.#holdings.delete(uid);
    for (const pool of this.pools) for (const cidr of cidrs) pool.remove(uid, cidr);
  }

  #seeNeed(uid: string, name: string, needs: boolean): void {
    if (!this.#isComplete) return;
    if (!needs) {
      if (this.#endNeed(uid)) this.#offerOverridden();
    } else if (!this.#needs.has(uid)) {
      this.#needs.set(uid, this.#offer(uid, name));
    }
  }

  /** A block of each range, or nothing of any. */
  #offer(uid: string, name: string): Need {
    const blocks = this.pools.map((pool) => pool.offer(uid, !this.#options.dryRun));
    const free = blocks.filter((block) => block !== undefined);
    const cidrs = free.map(({ cidr }) => cidr);
    const full = this.pools[blocks.indexOf(undefined)];
    if (full === undefined) {
      return { kind: "offered", name, cidrs, tries: free.map(({ tries }) => tries) };
    }
    this.#endOffer(uid, cidrs);
    return { kind: "waiting", name, full };
  }

  /** Somebody else has taken what was offered to it. */
  #offerAnew(uid: string): void {
    const need = this.#needs.get(uid);
    if (need?.kind !== "offered") return;
    this.#endOffer(uid, need.cidrs);
    this.#needs.set(uid, this.#offer(uid, need.name));
  }

  /** Something may be free: those who wait are offered it, and asked to take it. */
  #offerOverridden(): void {
    const waiting = [...this.#needs].filter(([, { kind }]) => kind === "waiting");
    for (const [uid, { name }] of waiting) {
      const offer = this.#offer(uid, name);
      this.#needs.set(uid, offer);
      if (offer.kind === "offered") this.#options.wake(name, "a pod range became free");
    }
  }

  /** Answers whether anything was kept in mind for it. */
  #endNeed(uid: string): boolean {
    const need = this.#needs.get(uid);
    this.#needs.delete(uid);
    if (need?.kind !== "offered") return false;
    this.#endOffer(uid, need.cidrs);
    return true;
  }

  #endOffer(uid: string, cidrs: readonly Cidr[]): void {
    for (const cidr of cidrs) for (const pool of this.pools) pool.endOffer(uid, cidr);
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
