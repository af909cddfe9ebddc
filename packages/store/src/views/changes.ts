import type { Reason } from "@cloudwright/core/model/reason";
import type { Drift, State } from "@cloudwright/core/model/state";
import type { Page } from "./views.ts";

/** What an object is at one of two times. */
export interface StateThen {
  /** Since when it is so, as far as anything that the comparison shows is concerned. */
  readonly at: number;
  readonly state: State;
  readonly reason: Reason;
  readonly drift: Drift;
  /** The first that it is reached by. */
  readonly address: string | undefined;
}

export const DIRECTIONS = ["worse", "better", "other"] as const;
/** `other`: new, gone, replaced, or changed without being worse or better. */
export type Direction = (typeof DIRECTIONS)[number];

/** An object that differs at the later of two times from what it was at the earlier one. */
export interface ObjectChange {
  readonly kind: string;
  /** With its namespace, where it has one. */
  readonly name: string;
  readonly uid: string;
  readonly direction: Direction;
  /** `unknown`: what it was is not kept. `absent`: it was not there, or gone. */
  readonly was: StateThen | "unknown" | "absent";
  readonly now: StateThen;
  /** Whether another object of its name is there now. */
  readonly isReplaced: boolean;
  /** How often it became another between the two times. */
  readonly times: number;
}

/** The same with what was done to it between the two times. */
export interface CountedChange extends ObjectChange {
  /** Those that are kept, without dry runs. */
  readonly runs: number;
  /** What of their plans was written to the cloud. */
  readonly cloudWrites: number;
}

export interface ChangesFilter {
  /** The two times; the last hour unless given. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly directions?: readonly Direction[] | undefined;
  /** Part of a name, an address, or the code of a reason. */
  readonly text?: string | undefined;
}

export const CHANGES_SORTS = ["kind"] as const;
export type ChangesSort = (typeof CHANGES_SORTS)[number];

/** Rows are in the order of their kinds, the worst first. */
export interface ChangesPage extends Page<CountedChange> {
  readonly from: number;
  readonly to: number;
  /** Of all that differs, whatever else the filter selects: kind by kind. */
  readonly counts: readonly {
    readonly kind: string;
    readonly direction: Direction;
    readonly count: number;
  }[];
  /** From then on the changes are kept without a gap; undefined where that is since the cluster is known. */
  readonly completeFrom: number | undefined;
}
