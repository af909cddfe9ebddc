import { t, worded } from "@cloudwright/core/model/language/text";
import type { RunEnd, Step } from "@cloudwright/core/model/run";
import { withTries } from "../tries.ts";
import type { Bar } from "./bar.ts";
import { type Interval, type TimeScale, timeScale } from "./time-scale.ts";

export interface Waterfall {
  readonly bars: readonly Bar[];
  readonly whole: Interval;
  readonly scale: TimeScale;
}

type RunTimes = Pick<RunEnd, "queuedMs" | "durationMs" | "planMs" | "steps" | "changes">;

/** Returns a run's bars in the order of its phases: queue, observe with its calls, plan, apply with its calls. */
export function waterfall(run: RunTimes): Waterfall {
  const critical = criticalPath(run.steps);
  const observed = run.steps.filter(({ phase }) => phase === "observe");
  const applied = run.steps.filter(({ phase }) => phase === "apply");
  const observeEnd = Math.max(0, ...observed.map(endOf));
  const bars: Bar[] = [
    phaseBar("queue", { from: -run.queuedMs, to: 0 }),
    phaseBar("observe", { from: Math.min(0, ...observed.map(startOf)), to: observeEnd }),
    ...withTries(observed.map((step) => callBar(step, run.steps.indexOf(step), critical))),
    phaseBar("plan", { from: observeEnd, to: observeEnd + run.planMs }),
    ...applyBars(applied, run.steps, critical),
  ];
  const whole = {
    from: Math.min(...bars.map(({ from }) => from)),
    to: Math.max(run.durationMs, ...bars.map(({ to }) => to)),
  };
  return { bars, whole, scale: timeScale(whole, busyOf(bars)) };
}

/**
 * Returns when something happened: during calls and planning, because a phase also includes the waits between its calls. For a run without
 * calls, only the phases are known.
 */
export function busyOf(bars: readonly Bar[]): readonly Interval[] {
  const hasCalls = bars.some(({ step }) => step !== undefined);
  return bars.filter(({ kind, step }) =>
    hasCalls ? step !== undefined || kind === "plan" : kind !== "queue",
  );
}

/** Finds the calls that determine the run's duration: from the last to end backwards, each time the one that ended before it began. */
export function criticalPath(steps: readonly Step[]): ReadonlySet<Step> {
  const path = new Set<Step>();
  let before = Number.POSITIVE_INFINITY;
  for (const step of [...steps].sort((left, right) => endOf(right) - endOf(left))) {
    if (endOf(step) > before) continue;
    path.add(step);
    before = step.offsetMs;
  }
  return path;
}

function applyBars(
  applied: readonly Step[],
  all: readonly Step[],
  critical: ReadonlySet<Step>,
): readonly Bar[] {
  if (applied.length === 0) return [];
  const span = {
    from: Math.min(...applied.map(startOf)),
    to: Math.max(...applied.map(endOf)),
  };
  return [
    phaseBar("apply", span),
    ...withTries(applied.map((step) => callBar(step, all.indexOf(step), critical))),
  ];
}

const PHASES = worded({
  queue: () => t`queue`,
  observe: () => t`observe`,
  plan: () => t`plan`,
  apply: () => t`apply`,
});

function phaseBar(kind: keyof typeof PHASES, span: Interval): Bar {
  return {
    id: kind,
    kind,
    label: PHASES[kind],
    target: undefined,
    ...span,
    level: 0,
    failed: false,
    critical: false,
    step: undefined,
  };
}

function callBar(step: Step, index: number, critical: ReadonlySet<Step>): Bar {
  return {
    id: `call-${index + 1}`,
    kind: step.system,
    label: step.operation,
    target: step.target,
    from: startOf(step),
    to: endOf(step),
    level: 1,
    failed: step.error !== undefined,
    critical: critical.has(step),
    step,
  };
}

function startOf(step: Step): number {
  return step.offsetMs;
}

function endOf(step: Step): number {
  return step.offsetMs + step.durationMs;
}
