import type { ControlAction } from "../../model/actions/action.ts";
import { ANSWER_LIMITS_MS, KEPT_RESULTS } from "../../model/actions/intent-result.ts";
import type { IntentReport } from "../ports.ts";
import { answerWithin, PREVIEW_LIMIT_MS } from "./answer-within.ts";
import type { ControlTarget } from "./control-target.ts";
import { answerOf, planChanged, refused, rejected } from "./intent-reports.ts";
import { hashToCompare, type IntentWork, requestedActionOf } from "./intent-work.ts";

const WRITE_LIMIT_MS = ANSWER_LIMITS_MS.write;

/** Carries out pauses, resumes and guard releases on the control record. */
export async function carryOutControlAction(
  work: IntentWork,
  action: ControlAction,
): Promise<IntentReport> {
  const { intent, controls } = work;
  if (controls === undefined) {
    return rejected(KEPT_RESULTS.noControlRecord());
  }
  if (intent.kind !== "preview") return carryOut(work, controls, action);
  const preview = await answerWithin(work, PREVIEW_LIMIT_MS, (signal) =>
    controls.preview(requestedActionOf(intent, action), intent.object, signal),
  );
  return answerOf(work, preview);
}

async function carryOut(
  work: IntentWork,
  controls: ControlTarget,
  action: ControlAction,
): Promise<IntentReport> {
  const { intent } = work;
  const { object } = intent;
  const request = {
    requested: requestedActionOf(intent, action),
    object,
    planHash: hashToCompare(intent),
  };
  const report = await answerWithin(work, WRITE_LIMIT_MS, (signal) =>
    controls.carryOut(request, signal),
  );
  switch (report.kind) {
    case "done":
      return { state: "verified", result: report.result };
    case "planChanged":
      return planChanged(report.preview);
    case "refused":
      return refused(work, report.reason);
  }
}
