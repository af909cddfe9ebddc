import type { TimelineStep } from "@cloudwright/core/model/records/node-record";
import { STEP_LABELS } from "../../../platform/wording/step-labels.ts";

/** A step of the initialisation, or the route controller's step beside it. */
export type ShownStep = Omit<TimelineStep, "step"> & {
  readonly step: TimelineStep["step"] | "route";
};

export interface TimelineRow {
  readonly step: ShownStep;
  readonly label: string;
  readonly durationMs: number | undefined;
  /** The label of the earlier step that happened in the same run. */
  readonly together: string | undefined;
  /** The start and length of its bar, as shares of the whole. */
  readonly bar: { readonly start: number; readonly width: number } | undefined;
}

export interface TimelineModel {
  readonly rows: readonly TimelineRow[];
  readonly startedAt: number | undefined;
  readonly totalMs: number;
  readonly done: boolean;
}

/**
 * Orders the steps as they happened, with those that have not happened last (UX brief, section 5). The route comes last: it is not part of
 * the initialisation and does not lengthen it.
 */
export function timelineModel(
  steps: readonly TimelineStep[],
  now: number,
  route?: ShownStep,
): TimelineModel {
  const ordered = [...steps].sort((left, right) => orderOf(left) - orderOf(right));
  const startedAt = ordered[0]?.startedAt;
  const done = ordered.length > 0 && ordered.every(({ state }) => state === "done");
  const end = done ? Math.max(...ordered.map((step) => endOf(step, now))) : now;
  const totalMs = startedAt === undefined ? 0 : Math.max(0, end - startedAt);
  const isReportedToo = route !== undefined && ordered.length > 0;
  const rows = [...ordered, ...(isReportedToo ? [route] : [])].map((step, index) => ({
    step,
    label: STEP_LABELS[step.step],
    durationMs: step.startedAt === undefined ? undefined : endOf(step, now) - step.startedAt,
    together: togetherWith(step, ordered.slice(0, index)),
    bar: barOf(step, { startedAt, totalMs, now }),
  }));
  return { rows, startedAt, totalMs, done };
}

function orderOf(step: TimelineStep): number {
  return step.state === "pending" ? Number.MAX_SAFE_INTEGER : (step.startedAt ?? Number.MAX_VALUE);
}

function endOf(step: ShownStep, now: number): number {
  if (step.state === "failed") return now;
  return step.endedAt ?? step.startedAt ?? now;
}

function togetherWith(step: ShownStep, before: readonly TimelineStep[]): string | undefined {
  if (step.state !== "done" || step.endedAt === undefined) return undefined;
  const other = before.find(
    (candidate) =>
      candidate.state === "done" &&
      candidate.runId === step.runId &&
      candidate.startedAt === step.startedAt &&
      candidate.endedAt === step.endedAt,
  );
  return other === undefined ? undefined : STEP_LABELS[other.step];
}

function barOf(
  step: ShownStep,
  whole: {
    readonly startedAt: number | undefined;
    readonly totalMs: number;
    readonly now: number;
  },
): TimelineRow["bar"] {
  if (step.startedAt === undefined || whole.startedAt === undefined) return undefined;
  if (step.state === "pending" || whole.totalMs === 0) return undefined;
  // A route that was made later, or again, is beyond the scale.
  if (step.step === "route" && endOf(step, whole.now) > whole.startedAt + whole.totalMs) {
    return undefined;
  }
  return {
    start: (step.startedAt - whole.startedAt) / whole.totalMs,
    width: (endOf(step, whole.now) - step.startedAt) / whole.totalMs,
  };
}
