import type { EventTarget, EventText } from "../kube/events/event-object.ts";
import type { GuardedNode } from "../model/controls.ts";

/**
 * What a run does besides its writes, expressed as data: `announce` and `conclude` return it, and the loop emits it.
 * Previews and dry runs emit nothing.
 */
export type Effect = EventEffect | MetricEffect | GuardEffect;

/** A Kubernetes Event. */
export interface EventEffect {
  readonly kind: "event";
  readonly target: EventTarget;
  readonly event: EventText;
}

/** An increment of a counter or an observation of a histogram, under the metric's scraped name. */
export interface MetricEffect {
  readonly kind: "metric";
  readonly name: string;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Notes why the deletion guard holds a node's deletion; undefined when it no longer does. */
export interface GuardEffect {
  readonly kind: "guard";
  readonly node: GuardedNode;
  readonly because: string | undefined;
}

/** Where effects go. Must not throw, and never waits. */
export interface Effects {
  emit(effect: Effect): void;
}

/** A metric that effects count, declared once beside the code that counts it. */
export interface MetricDeclaration {
  /** The name as scraped. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "histogram";
  readonly labels?: readonly string[];
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}
