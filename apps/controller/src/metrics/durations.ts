import { Histogram, type Registry } from "prom-client";

/** What a metric of durations is called, and by what it is split. */
export interface DurationMetric<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly Label[];
}

type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** A histogram in seconds, from 5 ms to a minute; fed in milliseconds. */
export function createDurations<Label extends string>(
  registers: Registry[],
  metric: DurationMetric<Label>,
): (labels: Labels<Label>, ms: number) => void {
  const histogram = new Histogram({ ...metric, buckets: SECONDS, registers });
  return (labels, ms) => histogram.observe(labels, ms / 1_000);
}

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** The two parts of the time that a call took. */
export interface TimedCall {
  readonly durationMs: number;
  /** Time that it waited for a limit of ours, within the duration. */
  readonly limiterWaitMs: number;
}

/** Two histograms of calls: how long the other side took, and how long we made the call wait. */
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
