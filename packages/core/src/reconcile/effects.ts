import type { EventTarget, EventText } from "../kube/events/event-object.ts";
import type { GuardedNode } from "../model/controls.ts";

/**
 * What a run does besides its writes, as data: `announce` and `conclude` return it, and the loop emits it. Previews and dry
 * runs emit nothing.
 */
export type Effect = EventEffect | MetricEffect | GuardEffect;

/** A Kubernetes Event. */
export interface EventEffect {
  readonly kind: "event";
  readonly target: EventTarget;
  readonly event: EventText;
}

/** One more of a counter, or one observation of a histogram, by the name that the metric is scraped under. */
export interface MetricEffect {
  readonly kind: "metric";
  readonly name: string;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Notes why the deletion of a node waits for the deletion guard, or (undefined) that it waits no more. */
export interface GuardEffect {
  readonly kind: "guard";
  readonly node: GuardedNode;
  readonly because: string | undefined;
}

/** Where effects go. Must not throw, and never waits. */
export interface Effects {
  emit(effect: Effect): void;
}

/** A metric that effects count: declared once, beside what counts it. */
export interface MetricDeclaration {
  /** As it is scraped. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "histogram";
  readonly labels?: readonly string[];
  /** Of a histogram: the upper bounds. */
  readonly buckets?: readonly number[];
}
