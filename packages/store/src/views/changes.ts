import type { Reason } from "@cloudwright/core/model/reason";
import type { Drift, State } from "@cloudwright/core/model/state";
import type { Page } from "./views.ts";

/** An object's state at one of two times. */
export interface StateThen {
  /** Since when it has been in this state, as far as the comparison shows it. */
  readonly at: number;
  readonly state: State;
  readonly reason: Reason;
  readonly drift: Drift;
  /** The object's first address. */
  readonly address: string | undefined;
}

export const DIRECTIONS = ["worse", "better", "other"] as const;
/** `other`: new, gone, replaced, or changed without being worse or better. */
export type Direction = (typeof DIRECTIONS)[number];

/** An object that differs between two times. */
export interface ObjectChange {
  readonly kind: string;
  /** Includes the namespace, if it has one. */
  readonly name: string;
  readonly uid: string;
  readonly direction: Direction;
  /** `unknown`: its earlier state is not stored. `absent`: it did not exist, or was gone. */
  readonly was: StateThen | "unknown" | "absent";
  readonly now: StateThen;
  /** Whether another object of its name exists now. */
  readonly isReplaced: boolean;
  /** How often it changed between the two times. */
  readonly times: number;
}

/** The same with what was done to the object between the two times. */
export interface CountedChange extends ObjectChange {
  /** The stored runs, without dry runs. */
  readonly runs: number;
  /** How many of their changes were written to the cloud. */
  readonly cloudWrites: number;
}

export interface ChangesFilter {
  /** The two times; the last hour by default. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly directions?: readonly Direction[] | undefined;
  /** Part of a name, an address, or the code of a reason. */
  readonly text?: string | undefined;
}

export const CHANGES_SORTS = ["kind"] as const;
export type ChangesSort = (typeof CHANGES_SORTS)[number];

/** Rows are ordered by kind, the worst first. */
export interface ChangesPage extends Page<CountedChange> {
  readonly from: number;
  readonly to: number;
  /** Counts of all differences by kind, whatever else the filter selects. */
  readonly counts: readonly {
    readonly kind: string;
    readonly direction: Direction;
    readonly count: number;
  }[];
  /** The changes since then are complete; undefined if that is since the cluster was first seen. */
  readonly completeFrom: number | undefined;
}
