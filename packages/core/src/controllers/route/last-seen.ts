import type { ObjectRef } from "../../model/object-ref.ts";
import type { Effects } from "../../reconcile/effects.ts";
import type { RunOutcome } from "../../reconcile/loop-port.ts";
import type { NodeView } from "../objects/written-nodes.ts";
import type { RouteClassifier } from "./claims/route-classifier.ts";
import { countSync } from "./conclude.ts";
import { DeletionBrake } from "./deletion-brake.ts";
import { routeRef, subjectOf, tableRef } from "./keys.ts";
import type { RouteMemory } from "./memory.ts";

/**
 * State that concerns many keys: what the informer and the periodic listings have shown. The code that feeds the queue maintains
 * it, and runs read it.
 */
export class RouteLastSeen {
  readonly classifier: RouteClassifier;
  readonly view: NodeView;
  readonly brake: DeletionBrake;
  /**
   * Since when the periodic listing has been failing, in monotonic milliseconds: earlier listings are not acted upon
   * (spec/40 §3.1).
   */
  blindSince: number | undefined;
  /** How many routes have been created or deleted so far. */
  changed: number = 0;
  readonly #effects: Effects;

  constructor(classifier: RouteClassifier, view: NodeView, effects: Effects) {
    this.classifier = classifier;
    this.view = view;
    this.brake = new DeletionBrake(classifier);
    this.#effects = effects;
  }

  object(key: string): ObjectRef {
    const subject = subjectOf(key);
    switch (subject.kind) {
      case "node":
        return this.view.object(subject.name);
      case "route":
        return routeRef(subject.id);
      case "table":
        return tableRef(subject.id);
    }
  }

  /** A run has ended and left this memory. */
  ended(outcome: RunOutcome, { lastRunId }: RouteMemory): void {
    this.changed += outcome.written.filter(({ system }) => system === "cloud").length;
    const { runId, trigger, dryRun } = outcome;
    const isFailed = outcome.outcome === "failed" || outcome.outcome === "timedOut";
    // A run that has concluded nothing reached no plan: it could not observe.
    if (isFailed && trigger.kind === "change" && lastRunId !== runId && !dryRun) {
      this.#effects.emit(countSync("error", "node_change"));
    }
  }
}
