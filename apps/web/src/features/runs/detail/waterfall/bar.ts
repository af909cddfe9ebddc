import type { Step } from "@cloudwright/core/model/run";

export type BarKind = "queue" | "observe" | "plan" | "apply" | "cloud" | "kube";

export interface Bar {
  /** Appears in the address as `span=`. */
  readonly id: string;
  readonly kind: BarKind;
  readonly label: string;
  readonly target: string | undefined;
  /** Milliseconds since the run's start; negative for the queue and for shared lookups. */
  readonly from: number;
  readonly to: number;
  /** 0 for a phase, 1 for a call within it, 2 for one of its attempts. */
  readonly level: 0 | 1 | 2;
  readonly failed: boolean;
  readonly critical: boolean;
  readonly step: Step | undefined;
  /** Set on the bar that groups the attempts of one call. */
  readonly tries?: Tries;
}

/** How often a call was sent until it was answered or given up. */
export interface Tries {
  readonly count: number;
  /** Milliseconds between the end of each attempt and the start of the next. */
  readonly waitedMs: number;
}
