import type { Reason } from "@cloudwright/core/model/reason";

/** The basis of headline, badges and lists, all from the same rows. */
export interface ClusterHealth {
  readonly needs: Needs;
  readonly coverage: Readonly<Record<CoveredKind, Coverage>>;
  /** Alarms about many objects at once, the worst first. */
  readonly alarms: readonly MassAlarm[];
}

/** The numbers of objects that need a user. */
export interface Needs {
  /** How many objects are stuck, by kind; a kind without any has no entry. */
  readonly stuck: Readonly<Record<string, number>>;
  /** The same for kinds that are parts of others, such as a Node's routes: their object counts in `stuck` as well. */
  readonly stuckParts: Readonly<Record<string, number>>;
  /** Deletions that the guard holds back. */
  readonly held: number;
}

export const COVERED_KINDS = ["Node", "Service"] as const;
export type CoveredKind = (typeof COVERED_KINDS)[number];

/** How many of the present objects have been reported by every responsible controller. */
export interface Coverage {
  readonly present: number;
  readonly reported: number;
  /** Whether a controller reports on them; also true if the leader has not said what runs. */
  readonly isExpected: boolean;
  /** Nodes that still carry the uninitialized taint; undefined if the leader has not said. */
  readonly uninitialised: number | undefined;
}

export type MassAlarm = UnknownAlarm | VanishedAlarm;

/** So many objects could not be observed that the state of the rest says little. */
export interface UnknownAlarm {
  readonly kind: "unknown";
  /** The kind of the objects, or of the parts of objects. */
  readonly of: string;
  readonly count: number;
  readonly total: number;
  /** Since when the first of them could not, milliseconds since the epoch. */
  readonly since: number;
  /** The most frequent reason. */
  readonly reason: Reason;
}

/** So many machines vanished within minutes that one answer of the cloud may be wrong. */
export interface VanishedAlarm {
  readonly kind: "vanished";
  readonly count: number;
  readonly total: number;
  /** The time from the first to the last. */
  readonly withinMs: number;
  readonly since: number;
  /** Nodes that were removed from the cluster, and deletions that the guard holds back. */
  readonly removed: number;
  readonly held: number;
}
