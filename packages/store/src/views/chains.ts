/** What checks of audit chains answer. Times are milliseconds since the epoch; numbers count from 1 in their chain. */

/** The newest entry of a chain: all before it is bound by its hash. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
  /** When it was added, or of a head that was written down: when that was. */
  readonly at: number;
}

/** A head that was written down outside the chain, and where, in words. */
export interface NotedHead extends ChainHead {
  readonly place: string;
}

/**
 * Where a head was read: `configMap` in the cluster, `anchor` in a signed file, `given` by whoever asks, or `database`: what
 * the database itself notes of the head that was written elsewhere, which its owner can change.
 */
export type CheckpointCopy = "configMap" | "anchor" | "given" | "database";

export interface KnownHead extends NotedHead {
  readonly copy: CheckpointCopy;
}

/**
 * `changed`: the contents are not what was hashed. `removed`: numbers are missing. `reordered`: written at another place of
 * the chain. `added`: put in past the chain. `rewritten`: replaced as a whole, together with the chain after it.
 */
export type BreakKind = "changed" | "removed" | "reordered" | "added" | "rewritten";

export interface ChainBreak {
  readonly kind: BreakKind;
  /** The first entry's number, and the last one's: the same for a break of one entry. */
  readonly from: number;
  readonly to: number;
  /** What is wrong with which entries. */
  readonly sentence: string;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Whether the chain's head or a checkpoint binds it. What is not bound is whole only in itself. */
  readonly bound: boolean;
}

export interface ChainVerification {
  /** A cluster's id, or `accounts`. */
  readonly chain: string;
  readonly intact: boolean;
  /** How many entries were read. */
  readonly entries: number;
  /** Undefined for an empty chain. */
  readonly head: ChainHead | undefined;
  /** When its first entry happened. */
  readonly since: number | undefined;
  readonly breakCount: number;
  /** The first ten. */
  readonly breaks: readonly ChainBreak[];
  /** The first ten stretches of entries that are as they were written. */
  readonly proven: readonly Stretch[];
  /** Heads known from elsewhere, and whether the chain still holds them. */
  readonly checkpoints: readonly (KnownHead & { readonly matches: boolean })[];
  /** The last entry that a head known from elsewhere binds; 0 for none. */
  readonly anchoredTo: number;
  /** How many entries are newer than that: whoever owns the database could still change them unseen. */
  readonly notAnchored: number;
  /** Milliseconds since the epoch. */
  readonly verifiedAt: number;
  /** The whole in one sentence. */
  readonly sentence: string;
}
