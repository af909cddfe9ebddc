import { Histogram, type Registry } from "prom-client";

/** The name and label of a duration metric. */
export interface DurationMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
}

type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** Creates a histogram in seconds, from 5 ms to a minute; it is fed in milliseconds. */
export function createDurations<Label extends string>(
  registers: Registry[],
  metric: DurationMetric<Label>,
): (labels: Labels<Label>, ms: number) => void {
  const histogram = new Histogram({ ...metric, buckets: SECONDS, registers });
  return (labels, ms) => histogram.observe(labels, ms / 1_000);
}

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** The duration of a call, and the part of it spent waiting. */
export interface TimedCall {
  readonly durationMs: number;
  /** Time spent waiting for one of our limits, included in the duration. */
  readonly limiterWaitMs: number;
}

/** Creates two histograms of calls: how long the other side took, and how long we delayed the call. */
export function createCallTimes<Label extends string>(
  registers: Registry[],
  metrics: { readonly calls: DurationMetric<Label>; readonly waits: DurationMetric<Label> },
): (labels: Labels<Label>, call: TimedCall) => void {
  const took = createDurations(registers, metrics.calls);
  const waited = createDurations(registers, metrics.waits);
  return (labels, { durationMs, limiterWaitMs }) => {
    took(labels, Math.max(0, durationMs - limiterWaitMs));
    waited(labels, limiterWaitMs);
  };
}
