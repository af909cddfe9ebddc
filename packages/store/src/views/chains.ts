/** The results of checking audit chains. Times are milliseconds since the epoch; numbers count from 1 in their chain. */

/** The newest entry of a chain: its hash vouches for all entries before it. */
export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
  /** When it was added; for a head that was recorded elsewhere, when that was. */
  readonly at: number;
}

/** A head that was recorded outside the chain, and where, in words. */
export interface NotedHead extends ChainHead {
  readonly place: string;
}

/**
 * Where a head was read: `configMap` in the cluster, `anchor` in a signed file, `given` by the caller, or `database`: the database's own
 * note of the head that was written elsewhere, which its owner can change.
 */
export type CheckpointCopy = "configMap" | "anchor" | "given" | "database";

export interface KnownHead extends NotedHead {
  readonly copy: CheckpointCopy;
}

/**
 * `changed`: the contents do not match the hash. `removed`: numbers are missing. `reordered`: written at another place in the chain.
 * `added`: inserted without going through the chain. `rewritten`: replaced as a whole, together with the chain after it.
 */
export type BreakKind = "changed" | "removed" | "reordered" | "added" | "rewritten";

export interface ChainBreak {
  readonly kind: BreakKind;
  /** The numbers of the first and the last entry: equal for a break of one entry. */
  readonly from: number;
  readonly to: number;
  /** What is wrong with which entries. */
  readonly sentence: string;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Whether the chain's head or a checkpoint vouches for it. Otherwise it is only consistent in itself. */
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
  /** When the chain's first entry happened. */
  readonly since: number | undefined;
  readonly breakCount: number;
  /** The first ten. */
  readonly breaks: readonly ChainBreak[];
  /** The first ten stretches of entries that are as they were written. */
  readonly proven: readonly Stretch[];
  /** Heads known from elsewhere, and whether the chain still matches them. */
  readonly checkpoints: readonly (KnownHead & { readonly matches: boolean })[];
  /** The last entry that a head known from elsewhere vouches for; 0 for none. */
  readonly anchoredTo: number;
  /** How many entries are newer than that: the owner of the database could still change them unnoticed. */
  readonly notAnchored: number;
  /** Milliseconds since the epoch. */
  readonly verifiedAt: number;
  /** The result in one sentence. */
  readonly sentence: string;
}
