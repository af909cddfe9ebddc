import type { ControlWish } from "../../model/wish.ts";
import type { IntentReport } from "../ports.ts";
import type { ControlTarget } from "./control-target.ts";
import {
  answerOf,
  answerWithin,
  askedOf,
  hashToCompare,
  type IntentWork,
  PREVIEW_LIMIT_MS,
  planChanged,
  refused,
  rejected,
} from "./intent-work.ts";

const WRITE_LIMIT_MS = 30_000;

/** Pauses, resumes and guard releases: wishes that are carried out on the control record. */
export async function carryOutControlWish(
  work: IntentWork,
  wish: ControlWish,
): Promise<IntentReport> {
  const { intent, controls } = work;
  if (controls === undefined) {
    return rejected("This controller has no control record; restart it and try again.");
  }
  if (intent.kind !== "preview") return carryOut(work, controls, wish);
  const look = await answerWithin(work, PREVIEW_LIMIT_MS, (signal) =>
    controls.look(askedOf(intent, wish), intent.object, signal),
  );
  return answerOf(work, look);
}

async function carryOut(
  work: IntentWork,
  controls: ControlTarget,
  wish: ControlWish,
): Promise<IntentReport> {
  const { intent } = work;
  const { object } = intent;
  const request = { asked: askedOf(intent, wish), object, planHash: hashToCompare(intent) };
  const report = await answerWithin(work, WRITE_LIMIT_MS, (signal) =>
    controls.carryOut(request, signal),
  );
  switch (report.kind) {
    case "done":
      return { state: "verified", result: report.result };
    case "planChanged":
      return planChanged(report.look);
    case "refused":
      return refused(work, report.reason);
  }
}
