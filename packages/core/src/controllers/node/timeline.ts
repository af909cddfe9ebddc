import type { Plan } from "../../model/plan.ts";
import type { Reason } from "../../model/reason.ts";
import { TIMELINE_STEPS, type TimelineStep } from "../../model/records/node-record.ts";
import type { RunResult } from "../../reconcile/reconciler.ts";
import { holdOf } from "../hold/hold.ts";
import { createdAtOf } from "../objects/object-meta.ts";
import type { NodeChange } from "./changes.ts";
import { awaitsInitialisation } from "./identity.ts";
import type { NodeObserved } from "./observed.ts";

export interface TimelineRun {
  readonly observed: NodeObserved;
  readonly plan: Plan<NodeChange>;
  readonly result: TimelineResult;
}

type TimelineResult = Pick<
  RunResult<NodeChange>,
  "applied" | "runId" | "startedAt" | "endedAt" | "failed" | "written"
>;

type StepName = TimelineStep["step"];
type Judgement =
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly reason?: Reason }
  | undefined;

/**
 * Returns the node's timeline from registration to use, advanced by one run. A node that we never saw
 * uninitialised has none. Runs that were already counted change nothing, nor do those of a held node.
 */
export function advanceTimeline(
  timeline: readonly TimelineStep[] | undefined,
  run: TimelineRun,
): readonly TimelineStep[] | undefined {
  if (!awaitsInitialisation(run.observed)) return timeline;
  const steps = startsAnew(timeline) ? firstSteps(run.observed) : timeline;
  const isCounted = steps.some(({ runId }) => runId === run.result.runId);
  if (isCounted || holdOf(run.observed.node) !== undefined) return steps;
  return steps.map((step) => advanceStep(step, judge(step.step, run), run.result));
}

function startsAnew(timeline: readonly TimelineStep[] | undefined): timeline is undefined {
  return timeline === undefined || timeline.every(({ state }) => state === "done");
}

function firstSteps({ node }: NodeObserved): readonly TimelineStep[] {
  const at = createdAtOf(node);
  return TIMELINE_STEPS.map((step) =>
    step === "registered"
      ? { step, state: "done", startedAt: at, endedAt: at, tries: 0 }
      : { step, state: "pending", tries: 0 },
  );
}

function advanceStep(
  step: TimelineStep,
  judgement: Judgement,
  result: TimelineResult,
): TimelineStep {
  if (judgement === undefined || step.state === "done") return step;
  const { reason: _past, endedAt: _open, ...rest } = step;
  const tried = {
    ...rest,
    startedAt: step.startedAt ?? result.startedAt,
    tries: step.tries + 1,
    runId: result.runId,
  };
  if (judgement.state === "done") return { ...tried, state: "done", endedAt: result.endedAt };
  return judgement.reason === undefined
    ? { ...tried, state: "failed" }
    : { ...tried, state: "failed", reason: judgement.reason };
}

/** Returns the result of a step in this run; undefined when the run did not reach it. */
function judge(step: StepName, run: TimelineRun): Judgement {
  switch (step) {
    case "registered":
      return undefined;
    case "found":
      return judgeFound(run);
    case "checked":
      return isFound(run) ? judgeChecked(run) : undefined;
    case "addresses":
      return isChecked(run) ? judgeWrite(run, "node.addresses.write") : undefined;
    case "initialised":
      return isChecked(run) ? judgeWrite(run, "node.initialise") : undefined;
  }
}

function judgeFound(run: TimelineRun): Judgement {
  if (run.observed.lookup === undefined) return undefined;
  return isFound(run) ? { state: "done" } : { state: "failed", reason: obstacleOf(run.plan) };
}

function judgeChecked(run: TimelineRun): Judgement {
  return isChecked(run) ? { state: "done" } : { state: "failed", reason: obstacleOf(run.plan) };
}

/** For a node with an overridden taint, why it is not initialised rather than the override. */
function obstacleOf({ next, notTaken }: Plan): Reason {
  const [first] = notTaken;
  return next.reason.code === "FreedUnfinished" ? (first?.reason ?? next.reason) : next.reason;
}

/** A write that was not needed is done as soon as the checks are. */
function judgeWrite({ plan, result }: TimelineRun, kind: NodeChange["kind"]): Judgement {
  const position = plan.changes.findIndex((change) => change.kind === kind);
  if (position < result.applied) return { state: "done" };
  // A dry run attempts nothing, so nothing has failed in it.
  const isTried = result.written.length + result.failed.length > 0;
  return isTried && position === result.applied ? { state: "failed" } : undefined;
}

function isFound({ observed }: TimelineRun): boolean {
  return observed.lookup?.kind === "found";
}

function isChecked({ plan }: TimelineRun): boolean {
  return plan.changes.some(({ kind }) => kind === "node.initialise");
}
