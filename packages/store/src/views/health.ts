import type { Reason } from "@cloudwright/core/model/reason";

/** What headline, badges and lists say of a cluster before they count anything else: all of them from the same rows. */
export interface ClusterHealth {
  readonly needs: Needs;
  readonly coverage: Readonly<Record<CoveredKind, Coverage>>;
  /** What befell many at once, the worst first. */
  readonly alarms: readonly MassAlarm[];
}

/** What needs a user. */
export interface Needs {
  /** How many objects are stuck, by kind; a kind of which none is has no entry. */
  readonly stuck: Readonly<Record<string, number>>;
  /** The same of kinds that are parts of others, such as a Node's routes: their object counts in `stuck` as well. */
  readonly stuckParts: Readonly<Record<string, number>>;
  /** Deletions that the guard holds back. */
  readonly held: number;
}

export const COVERED_KINDS = ["Node", "Service"] as const;
export type CoveredKind = (typeof COVERED_KINDS)[number];

/** Of how much of what is in the cluster all that are responsible have reported. */
export interface Coverage {
  readonly present: number;
  readonly reported: number;
  /** Whether a controller reports on them; true as well where the leader has not said what runs. */
  readonly isExpected: boolean;
  /** Of nodes, those that still carry the uninitialized taint; undefined where the leader has not said. */
  readonly uninitialised: number | undefined;
}

export type MassAlarm = UnknownAlarm | VanishedAlarm;

/** So many could not be looked at that what is known of the rest says little. */
export interface UnknownAlarm {
  readonly kind: "unknown";
  /** The kind of the objects, or of the parts of objects. */
  readonly of: string;
  readonly count: number;
  readonly total: number;
  /** Since when the first of them, milliseconds since the epoch. */
  readonly since: number;
  /** What most of them met with. */
  readonly reason: Reason;
}

/** So many machines vanished within minutes that one answer of the cloud may be wrong. */
export interface VanishedAlarm {
  readonly kind: "vanished";
  readonly count: number;
  readonly total: number;
  /** From the first to the last. */
  readonly withinMs: number;
  readonly since: number;
  /** Nodes that were removed from the cluster, and deletions that the guard holds back. */
  readonly removed: number;
  readonly held: number;
}
