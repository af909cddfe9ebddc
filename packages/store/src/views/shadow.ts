import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { Outcome, RunEnd } from "@cloudwright/core/model/run";
import type { Page, RunRow } from "./views.ts";

/** What a dry run beside another manager would do to a cluster (DESIGN.md "Dry run"). Times are milliseconds since the epoch. */

/** The newest dry run of one object by one controller. */
export interface ShadowRow {
  readonly controller: ControllerName;
  readonly object: RunRow["object"];
  /** The dry run that saw it; its page has the calls. */
  readonly runId: string;
  readonly at: number;
  /** A dry run with changes is `unchanged` where nothing stands in their way: it made none of them. */
  readonly outcome: Outcome;
  readonly reason: RunEnd["reason"];
  /** What it would write; empty for an object of which it differs only in what it waits for. */
  readonly changes: RunEnd["changes"];
  /** What it would not do, and why: held deletions too. */
  readonly notTaken: RunEnd["notTaken"];
  readonly next: RunEnd["next"];
}

export interface ShadowFilter {
  readonly controller?: ControllerName | undefined;
  /** Part of the object's name. */
  readonly text?: string | undefined;
  /**
   * `changes` (unless given): only what it would write to. `stopped`: what it would leave alone for a reason, such as a
   * deletion that the guard holds, or could not judge. `all`: every object that it looked at.
   */
  readonly show?: "changes" | "stopped" | "all" | undefined;
}

/** Rows are in the order of controller, kind, namespace and name. */
export interface ShadowPage extends Page<ShadowRow> {
  /** Of the whole cluster, whatever the filter. */
  readonly counts: { readonly all: number; readonly changes: number; readonly stopped: number };
  /** The process that ran dry last, by its heartbeats; undefined when none ever did. */
  readonly shadow:
    | {
        readonly identity: string;
        readonly version: string;
        readonly heardAt: number;
        /** Whether it leads by `cloudwright-shadow`; one that does not looks at nothing. */
        readonly leader: boolean;
      }
    | undefined;
}

/** The columns a shadow's list can be ordered by. */
export const SHADOW_SORTS = ["object"] as const;
export type ShadowSort = (typeof SHADOW_SORTS)[number];
