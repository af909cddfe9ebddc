import type { Node } from "../../kube/client.ts";
import type { Reason } from "../../model/reason.ts";
import { type Cidr, formatCidr, overlaps, parseCidr } from "../../model/values/cidr.ts";
import { createdAtOf, isDeleting, nameOf, uidOf } from "../objects/object-meta.ts";
import { podCidrsOf } from "../objects/pod-cidrs.ts";
import { BlockPool, type ClusterRange } from "./block-pool.ts";
import { cidrsOfNode, problemsWithin } from "./judge-cidrs.ts";

export interface AllocationOptions {
  /** At most one for each address family; pod ranges are given in this order. */
  readonly ranges: readonly ClusterRange[];
  /** Ranges of Services, which pods must not get. */
  readonly serviceRanges: readonly Cidr[];
  readonly meter: AllocationMeter;
  /** In a dry run nothing is ever taken; what was offered to one node is not offered to another. */
  readonly dryRun: boolean;
  /** Makes a node due because of what happened to others. */
  wake(name: string, why: string): void;
}

export interface AllocationMeter {
  /** Reports by how many the used blocks of a range rose or fell. */
  used(range: string, change: number): void;
  /** Reports how many blocks were examined until a free one was found. */
  tries(range: string, count: number): void;
}

/** What is available to a node without pod ranges. */
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

/** A node and the pod ranges that it has. */
interface Holding {
  readonly name: string;
  readonly createdAt: number;
  readonly cidrs: readonly Cidr[];
  /**
   * `reserved`: not known to be written yet. `doubtful`: the answer was lost, so the write may still take effect at any
   * time.
   */
  readonly kind: "seen" | "reserved" | "doubtful";
}

/** A node without pod ranges: the blocks that are offered to it, or the range that has none left. */
type Need =
  | {
      readonly kind: "offered";
      readonly name: string;
      readonly cidrs: readonly Cidr[];
      readonly tries: readonly number[];
    }
  | { readonly kind: "waiting"; readonly name: string; readonly full: BlockPool };

/**
 * Which pod range belongs to which Node, by UID. It contains only what the Nodes say and what was reserved for a write in
 * progress, so that it can be rebuilt from the Nodes at any time (spec/40 §10, IW-6). A reserved block stays with its
 * node until the Node shows what it has, is gone, or the write has certainly failed: no block is ever given twice or lost
 * (IW-2).
 */
export class Allocations {
  readonly pools: readonly BlockPool[];
  readonly serviceRanges: readonly Cidr[];
  readonly #options: AllocationOptions;
  readonly #holdings = new Map<string, Holding>();
  /** By UID, in the order in which they came. */
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

  /** The use of each range now. */
  get use(): readonly PoolUse[] {
    return this.pools.map(({ name, nodeMask, capacity, used }) => ({
      ...{ clusterCIDR: name, nodeMask, capacity, used },
    }));
  }

  /** From now on the ranges of all Nodes are known: those without any get an offer when they are seen. */
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
      // Its reserved blocks are still being written.
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
   * Learns from the response to a call what a Node with a reservation has. Without a reservation the Node is gone: that event
   * may arrive before the response to an earlier call.
   */
  settle(node: Node): void {
    if (this.#holdings.has(uidOf(node))) this.see(node);
  }

  /** The Node is gone from the API: its blocks are free. */
  gone(uid: string): void {
    this.#endNeed(uid);
    const { cidrs } = this.#holdings.get(uid) ?? { cidrs: [] };
    const sharing = this.#sharing(uid, cidrs);
    this.#drop(uid);
    for (const name of sharing) this.#options.wake(name, "the other node with its pod range");
    this.#offerOverridden();
  }

  /**
   * Returns what a node without pod ranges can have: its reserved blocks, those offered to it, or that none are left, in
   * which case it is woken when there are. Undefined if it needs nothing. Reads only.
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

  /** Takes the offered blocks for the node, all or none. Returns false when another node has taken one of them. */
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

  /** Marks a write whose answer was lost: only the Node itself can free its reserved blocks. */
  doubt(uid: string): void {
    const holding = this.#holdings.get(uid);
    if (holding?.kind === "reserved") this.#holdings.set(uid, { ...holding, kind: "doubtful" });
  }

  /** Frees the reserved blocks, as the write was certainly not made. */
  release(uid: string): void {
    const holding = this.#holdings.get(uid);
    if (holding?.kind !== "reserved") return;
    this.#drop(uid);
    this.#offerOverridden();
    this.#seeNeed(uid, holding.name, true);
  }

  /** Returns what is wrong with a Node's pod ranges; if two nodes have one range, the younger one is wrong. */
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

  /** Offers one block of each range, or none at all. */
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

  /** Makes a new offer after another node took what was offered. */
  #offerAnew(uid: string): void {
    const need = this.#needs.get(uid);
    if (need?.kind !== "offered") return;
    this.#endOffer(uid, need.cidrs);
    this.#needs.set(uid, this.#offer(uid, need.name));
  }

  /** Blocks may have become free: offers them to the waiting nodes and wakes those. */
  #offerOverridden(): void {
    const waiting = [...this.#needs].filter(([, { kind }]) => kind === "waiting");
    for (const [uid, { name }] of waiting) {
      const offer = this.#offer(uid, name);
      this.#needs.set(uid, offer);
      if (offer.kind === "offered") this.#options.wake(name, "a pod range became free");
    }
  }

  /** Returns whether anything was offered to it. */
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

  /** Returns the names of the other nodes that claim a part of these ranges. */
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
