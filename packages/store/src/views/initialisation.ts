import type { TimelineStep } from "@cloudwright/core/model/records/node-record";

/** How long nodes took to initialise, over a stretch of time, as the ledger has it of each. Times are milliseconds since the epoch. */
export interface InitialisationView {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  /** In equal parts of the stretch, oldest first; undefined where none was initialised. */
  readonly parts: readonly (InitialisationPart | undefined)[];
}

export interface InitialisationPart {
  readonly nodes: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The step that took longest at the median; undefined where no step is recorded. */
  readonly slowestStep: { readonly step: TimelineStep["step"]; readonly p50Ms: number } | undefined;
  /** The node that took longest. */
  readonly slowest: { readonly name: string; readonly ms: number };
}

export const INITIALISATION_PARTS = 48;
