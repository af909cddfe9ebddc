/** What the route loop reports of itself: upstream's metric (spec/40 §6), then ours. */
export interface RouteMetrics {
  /** A periodic pass, or a run for a change of a Node: whether it changed routes, found nothing to do or could not look. */
  countSync(outcome: "changed" | "noop" | "error", trigger: "periodic" | "node_change"): void;
  /** One call that was to create or delete a route. */
  countChange(action: "create" | "delete", outcome: "done" | "failed"): void;
  /** What the last pass has found. */
  found(figures: RouteFigures): void;
}

export interface RouteFigures {
  /** Routes that are as a Node wants them. */
  readonly present: number;
  /** Pod ranges of Nodes that no route leads to. */
  readonly missing: number;
  /** Routes of ours that nobody asks for. */
  readonly stale: number;
  /** Routes that are not ours, wherever they lead. */
  readonly foreign: number;
  readonly tables: readonly {
    readonly name: string;
    readonly used: number;
    /** Undefined when the cloud does not tell. */
    readonly capacity: number | undefined;
  }[];
}
