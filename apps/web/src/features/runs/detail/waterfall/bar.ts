import type { Step } from "@cloudwright/core/model/run";

export type BarKind = "queue" | "observe" | "plan" | "apply" | "cloud" | "kube";

export interface Bar {
  /** Stands in the address as `span=`. */
  readonly id: string;
  readonly kind: BarKind;
  readonly label: string;
  readonly target: string | undefined;
  /** Milliseconds since the run's start; before it for the queue and for shared lookups. */
  readonly from: number;
  readonly to: number;
  /** 0 for a phase, 1 for a call within it, 2 for one of its tries. */
  readonly level: 0 | 1 | 2;
  readonly failed: boolean;
  readonly critical: boolean;
  readonly step: Step | undefined;
  /** Of the bar that holds the tries of one call together. */
  readonly tries?: Tries;
}

/** How often a call was sent until it was answered, or given up. */
export interface Tries {
  readonly count: number;
  /** Milliseconds between the end of each and the beginning of the next. */
  readonly waitedMs: number;
}
