import type { TimelineStep } from "@cloudwright/core/model/records/node-record";

/** How long nodes took to initialise over a time span, from each node's record. Times are milliseconds since the epoch. */
export interface InitialisationView {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Equal parts of the time span, oldest first; undefined for a part in which no node was initialised. */
  readonly parts: readonly (InitialisationPart | undefined)[];
}

export interface InitialisationPart {
  readonly nodes: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The step that took longest at the median; undefined when no steps are recorded. */
  readonly slowestStep: { readonly step: TimelineStep["step"]; readonly p50Ms: number } | undefined;
  /** The node that took longest. */
  readonly slowest: { readonly name: string; readonly ms: number };
}

export const INITIALISATION_PARTS = 48;
