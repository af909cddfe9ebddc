import { sleepUnlessAborted } from "../../kube/sleep.ts";
import {
  actionOf,
  isOwnWork,
  type ObjectAction,
  type RequestedAction,
} from "../../model/actions/action.ts";
import {
  ANSWER_LIMITS_MS,
  absentResult,
  cloudAbsentResult,
  KEPT_RESULTS,
  notForKindResult,
  nothingToChangeResult,
  notSeenResult,
  recreatedResult,
} from "../../model/actions/intent-result.ts";
import { isOfCloudAlone, type ObjectRef } from "../../model/object-ref.ts";
import { factsOf, holdIn, type Reason } from "../../model/reason.ts";
import type { IntentTarget, Preview, RetryReport, RunOutcome } from "../loop-port.ts";
import { createPatience } from "../patience.ts";
import type { IntentReport } from "../ports.ts";
import { answerWithin, PREVIEW_LIMIT_MS } from "./answer-within.ts";
import { answerOf, planChanged, refused, rejected, saying, seen } from "./intent-reports.ts";
import { hashToCompare, type IntentWork, requestedActionOf } from "./intent-work.ts";
import { refusalOf } from "./refusal.ts";

const VERIFY_LIMIT_MS = ANSWER_LIMITS_MS.write;
const VERIFY_ATTEMPTS = 3;

/** Carries out an action about one object in a run of the object's loop. */
export async function carryOutObjectAction(
  work: IntentWork,
  action: ObjectAction,
): Promise<IntentReport | undefined> {
  const { intent, loop } = work;
  if (loop === undefined) {
    return rejected(KEPT_RESULTS.notRunning());
  }
  const refusal = notItsWork(work, loop, action) ?? notThere(loop, intent.object);
  if (refusal !== undefined) return rejected(refusal);
  const actionWork: ActionWork = { work, action, loop };
  return intent.kind === "preview" ? preview(actionWork) : carryOut(actionWork);
}

interface ActionWork {
  readonly work: IntentWork;
  readonly action: ObjectAction;
  readonly loop: IntentTarget;
}

async function preview(actionWork: ActionWork): Promise<IntentReport> {
  const planned = await previewWithin(actionWork, PREVIEW_LIMIT_MS);
  if (planned === undefined) return rejected(absent(actionWork.work.intent.object));
  return answerOf(actionWork.work, planned);
}

async function carryOut(actionWork: ActionWork): Promise<IntentReport | undefined> {
  const { work, action, loop } = actionWork;
  const { intent } = work;
  const report = await loop.retry(loop.keyOf(intent.object), {
    intentId: intent.id,
    actor: intent.actor,
    planHash: hashToCompare(intent),
    requested: requestedActionOf(intent, action),
    onWriting: (runId) => work.onWriting(runId),
  });
  return conclude(actionWork, report);
}

async function conclude(
  actionWork: ActionWork,
  report: RetryReport,
): Promise<IntentReport | undefined> {
  switch (report.kind) {
    case "stopped":
      return undefined;
    case "paused": {
      const { by, until, why } = report.pause;
      return saying("rejected", { code: "ControllerPaused", by, untilMs: until, why });
    }
    case "planChanged":
      return nothingLeft(actionWork, report.preview) ?? planChanged(report.preview);
    case "refused":
      return refused(actionWork.work, report.reason);
    case "ran":
      return { ...(await judgeRun(actionWork, report.run)), runId: report.run.runId };
  }
}

/**
 * An earlier leader may have carried out a retry without reporting its run. The plan that the user was shown is then done, and
 * a plan without changes is the desired result.
 */
function nothingLeft({ work, action }: ActionWork, { plan }: Preview): IntentReport | undefined {
  const isOurs = isOwnWork(action) && work.intent.state !== "requested";
  const { changes, next } = plan;
  if (!isOurs || changes.length > 0 || next.kind !== "settled") return undefined;
  return saying("verified", next.reason, nothingToChangeResult(next.reason));
}

/** A retry that found nothing to do has already observed; after a run that wrote, the effect must be observed. */
async function judgeRun(actionWork: ActionWork, run: RunOutcome): Promise<IntentReport> {
  if (run.state === "gone") return judgeGone(actionWork);
  if (run.outcome === "failed" || run.outcome === "timedOut") return judgeFailed(actionWork, run);
  if (run.applied > 0 || isAtWork(run)) return verify(actionWork, VERIFY_ATTEMPTS);
  const { reason } = run;
  if (run.state === "held") return saying("rejected", reason);
  if (run.outcome === "unchanged") return saying("verified", reason, nothingToChangeResult(reason));
  return saying("failed", reason);
}

function judgeGone({ work, action }: ActionWork): IntentReport {
  const { removes = false } = actionOf(action.kind);
  if (removes || isOfCloudAlone(work.intent.object)) {
    return { state: "verified", result: KEPT_RESULTS.gone() };
  }
  return { state: "failed", result: absent(work.intent.object) };
}

/** A failed write whose answer was lost may have been made. */
async function judgeFailed(actionWork: ActionWork, run: RunOutcome): Promise<IntentReport> {
  const failed = saying("failed", run.reason);
  if (isOwnWork(actionWork.action)) return failed;
  const report = await verify(actionWork, 1);
  return report.state === "verified" ? report : failed;
}

async function verify(actionWork: ActionWork, most: number): Promise<IntentReport> {
  const { clock, signal } = actionWork.work;
  const pauseAfter = createPatience(clock, most);
  for (;;) {
    const planned = await previewEffect(actionWork);
    if (planned === undefined) return judgeGone(actionWork);
    const effect = effectOf(actionWork.action, planned);
    if (effect !== undefined) return seen(effect);
    const pauseMs = pauseAfter(planned);
    if (pauseMs === undefined) return notSeen(actionWork.action, planned);
    await sleepUnlessAborted(clock, pauseMs, signal);
  }
}

function isAtWork({ outcome, reason }: RunOutcome): boolean {
  return outcome === "waiting" && factsOf(reason.code).isCloudAtWork === true;
}

/**
 * Returns the reason that shows the action's effect; undefined while there is no effect. A hold, release or override has
 * taken effect when repeating it would change nothing; any other action when the loop by itself would change nothing.
 */
function effectOf(action: ObjectAction, { plan }: Preview): Reason | undefined {
  if (actionOf(action.kind).isDoneEachTime !== true) {
    const refusal = refusalOf(plan, action);
    return refusal?.code === "NothingToDo" ? refusal : undefined;
  }
  const { reason } = plan.next;
  const isHeld = holdIn(reason) !== undefined;
  return isInSync(action, plan) && !isHeld ? reason : undefined;
}

/** For an adopted route only that route counts: others of the same Node may still wait for consent. */
function isInSync(action: ObjectAction, { changes, notTaken, next }: Preview["plan"]): boolean {
  if (changes.length > 0) return false;
  const route = "route" in action ? action.route : undefined;
  if (route === undefined) return next.kind === "settled";
  return !notTaken.some(({ reason }) => reason.code === "RouteUnowned" && reason.id === route);
}

function notSeen(action: ObjectAction, { plan }: Preview): IntentReport {
  const [first] = plan.changes;
  const why = refusalOf(plan, action) ?? first?.reason ?? plan.next.reason;
  return saying("failed", why, notSeenResult(why));
}

function previewWithin(
  { work, action, loop }: ActionWork,
  limitMs: number,
): Promise<Preview | undefined> {
  return previewFor({ work, loop, requested: requestedActionOf(work.intent, action) }, limitMs);
}

function previewEffect({ work, action, loop }: ActionWork): Promise<Preview | undefined> {
  const isDoneEachTime = actionOf(action.kind).isDoneEachTime === true;
  const requested = isDoneEachTime ? undefined : requestedActionOf(work.intent, action);
  return previewFor({ work, loop, requested }, VERIFY_LIMIT_MS);
}

interface Question extends Pick<ActionWork, "work" | "loop"> {
  readonly requested: RequestedAction<ObjectAction> | undefined;
}

function previewFor(
  { work, loop, requested }: Question,
  limitMs: number,
): Promise<Preview | undefined> {
  const { intent } = work;
  const trigger = { kind: "intent", intentId: intent.id, actor: intent.actor } as const;
  return answerWithin(work, limitMs, (signal) =>
    loop.preview(loop.keyOf(intent.object), { trigger, requested, signal }),
  );
}

/** All loops respect holds, but only one loop writes them for each kind of object. */
function notItsWork(
  { intent: { controller, object }, loops }: IntentWork,
  loop: IntentTarget,
  { kind }: ObjectAction,
): string | undefined {
  if (loop.carriesOut(kind, object.kind)) return undefined;
  const [carrier] = [...loops].find(([, other]) => other.carriesOut(kind, object.kind)) ?? [];
  return carrier === undefined
    ? notForKindResult(kind, object.kind)
    : `${controller} cannot carry out the action ${kind}; request it from ${carrier}.`;
}

/** A load balancer's name is its id in the cloud: it has no UID, and no other load balancer ever gets that name. */
function notThere(loop: IntentTarget, object: ObjectRef): string | undefined {
  if (isOfCloudAlone(object)) return undefined;
  const { uid } = loop.object(loop.keyOf(object));
  if (uid === undefined) return absent(object);
  if (object.uid === undefined || object.uid === uid) return undefined;
  return recreatedResult(object);
}

function absent(object: ObjectRef): string {
  return isOfCloudAlone(object) ? cloudAbsentResult(object) : absentResult(object);
}
