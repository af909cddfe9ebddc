import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Outcome, RunEnd } from "@cloudwright/core/model/run";
import type { Page, RunRow } from "./views.ts";

/** What a dry run beside another manager would do to a cluster (DESIGN.md "Dry run"). Times are milliseconds since the epoch. */

/** The newest dry run of one object by one controller. */
export interface ShadowRow {
  readonly controller: ControllerName;
  readonly object: RunRow["object"];
  /** The dry run; its page has the calls. */
  readonly runId: string;
  readonly at: number;
  /** A dry run with changes is `unchanged` if nothing prevents them: it made none of them. */
  readonly outcome: Outcome;
  readonly reason: RunEnd["reason"];
  /** The planned changes; empty for an object that differs only in what it waits for. */
  readonly changes: RunEnd["changes"];
  /** The actions that it would not take, and why; includes held deletions. */
  readonly notTaken: RunEnd["notTaken"];
  readonly next: RunEnd["next"];
}

export interface ShadowFilter {
  readonly controller?: ControllerName | undefined;
  /** Part of the object's name. */
  readonly text?: string | undefined;
  /**
   * `changes` (default): only objects that it would change. `stopped`: objects that it would leave alone for a reason, such as a deletion
   * that the guard holds, or could not evaluate. `all`: every object that it observed.
   */
  readonly show?: "changes" | "stopped" | "all" | undefined;
}

/** Rows are ordered by controller, kind, namespace and name. */
export interface ShadowPage extends Page<ShadowRow> {
  /** For the whole cluster, whatever the filter. */
  readonly counts: { readonly all: number; readonly changes: number; readonly stopped: number };
  /** The process with the latest dry run, by its heartbeats; undefined when there never was one. */
  readonly shadow:
    | {
        readonly identity: string;
        readonly version: string;
        readonly heardAt: number;
        /** Whether it leads by `cloudwright-shadow`; if not, it observes nothing. */
        readonly leader: boolean;
      }
    | undefined;
}

/** The columns by which a dry run's list can be ordered. */
export const SHADOW_SORTS = ["object"] as const;
export type ShadowSort = (typeof SHADOW_SORTS)[number];
