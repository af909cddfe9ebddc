import { kindWord } from "../../model/audit/change-words.ts";
import type { Intent } from "../../model/intent.ts";
import { isOfCloudAlone, type ObjectRef, objectName } from "../../model/object-ref.ts";
import { factsOf, type Reason } from "../../model/reason.ts";
import { cause, eventMessage } from "../../model/sentence.ts";
import { type Asked, actionOf, carrierOf, type ObjectWish } from "../../model/wish.ts";
import type { IntentTarget, Look, RetryReport, RunOutcome } from "../loop-port.ts";
import { createPatience } from "../patience.ts";
import type { IntentReport } from "../ports.ts";
import { pause } from "../run/pause.ts";
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
  seen,
} from "./intent-work.ts";
import { refusalOf } from "./refusal.ts";

const VERIFY_LIMIT_MS = 30_000;
const VERIFY_LOOKS = 3;

/** Wishes about one object, which a run of the object's loop carries out. */
export async function carryOutObjectWish(
  work: IntentWork,
  wish: ObjectWish,
): Promise<IntentReport | undefined> {
  const { intent, loop } = work;
  if (loop === undefined) {
    return rejected("The controller that carries it out does not run here; check --controllers.");
  }
  const refusal = notItsWork(intent, wish) ?? notThere(loop, intent.object);
  if (refusal !== undefined) return rejected(refusal);
  const errand: Errand = { work, wish, loop };
  return intent.kind === "preview" ? preview(errand) : carryOut(errand);
}

interface Errand {
  readonly work: IntentWork;
  readonly wish: ObjectWish;
  readonly loop: IntentTarget;
}

async function preview(errand: Errand): Promise<IntentReport> {
  const look = await lookWithin(errand, PREVIEW_LIMIT_MS);
  if (look === undefined) return rejected(absent(errand.work.intent.object));
  return answerOf(errand.work, look);
}

async function carryOut(errand: Errand): Promise<IntentReport | undefined> {
  const { work, wish, loop } = errand;
  const { intent } = work;
  const report = await loop.retry(loop.keyOf(intent.object), {
    intentId: intent.id,
    actor: intent.actor,
    planHash: hashToCompare(intent),
    asked: askedOf(intent, wish),
    onWriting: (runId) => work.onWriting(runId),
  });
  return conclude(errand, report);
}

async function conclude(errand: Errand, report: RetryReport): Promise<IntentReport | undefined> {
  switch (report.kind) {
    case "stopped":
      return undefined;
    case "paused": {
      const { by, until, why } = report.pause;
      return rejected(eventMessage({ code: "ControllerPaused", by, untilMs: until, why }));
    }
    case "planChanged":
      return nothingLeft(errand, report.look) ?? planChanged(report.look);
    case "refused":
      return refused(errand.work, report.reason);
    case "ran":
      return { ...(await judgeRun(errand, report.run)), runId: report.run.runId };
  }
}

/**
 * An earlier leader may have carried a retry out without having told by which run: then the plan that was shown is done, and
 * that nothing is left of it is what was wanted.
 */
function nothingLeft({ work, wish }: Errand, { plan }: Look): IntentReport | undefined {
  const isOurs = wish.kind === "retry" && work.intent.state !== "requested";
  const { changes, next } = plan;
  if (!isOurs || changes.length > 0 || next.kind !== "settled") return undefined;
  return { state: "verified", result: `Nothing had to be changed: ${cause(next.reason)}.` };
}

/** A retry that found nothing to do has looked already; after a run that wrote the effect has to be seen. */
async function judgeRun(errand: Errand, run: RunOutcome): Promise<IntentReport> {
  if (run.state === "gone") return judgeGone(errand);
  if (run.outcome === "failed" || run.outcome === "timedOut") return judgeFailed(errand, run);
  if (run.applied > 0 || isAtWork(run)) return verify(errand, VERIFY_LOOKS);
  if (run.state === "held") return rejected(eventMessage(run.reason));
  if (run.outcome === "unchanged") {
    return { state: "verified", result: `Nothing had to be changed: ${cause(run.reason)}.` };
  }
  return { state: "failed", result: eventMessage(run.reason) };
}

function judgeGone({ work, wish }: Errand): IntentReport {
  const { removes = false } = actionOf(wish.kind);
  if (removes || isOfCloudAlone(work.intent.object)) return GONE;
  return { state: "failed", result: absent(work.intent.object) };
}

const GONE: IntentReport = {
  state: "verified",
  result: "Done and confirmed: it is gone.",
};

/** A write whose answer got lost may have been made all the same. */
async function judgeFailed(errand: Errand, run: RunOutcome): Promise<IntentReport> {
  const failed: IntentReport = { state: "failed", result: eventMessage(run.reason) };
  if (errand.wish.kind === "retry") return failed;
  const report = await verify(errand, 1);
  return report.state === "verified" ? report : failed;
}

async function verify(errand: Errand, most: number): Promise<IntentReport> {
  const { clock, signal } = errand.work;
  const pauseAfter = createPatience(clock, most);
  for (;;) {
    const look = await lookForEffect(errand);
    if (look === undefined) return judgeGone(errand);
    const effect = effectOf(errand.wish, look);
    if (effect !== undefined) return seen(effect);
    const pauseMs = pauseAfter(look);
    if (pauseMs === undefined) return notSeen(errand.wish, look);
    await pause(clock, pauseMs, signal);
  }
}

function isAtWork({ outcome, reason }: RunOutcome): boolean {
  return outcome === "waiting" && factsOf(reason.code).isCloudAtWork === true;
}

/**
 * What is there of the wish when looked at; undefined when it is not there. A hold, release or override is there when the
 * same wish would find nothing to do, anything else when the loop by itself would not.
 */
function effectOf(wish: ObjectWish, { plan }: Look): Reason | undefined {
  if (wish.kind !== "retry" && actionOf(wish.kind).isDoneEachTime !== true) {
    const refusal = refusalOf(plan, wish);
    return refusal?.code === "NothingToDo" ? refusal : undefined;
  }
  const { reason } = plan.next;
  const isHeld = reason.code === "HeldByAnnotation";
  return isInSync(wish, plan) && !isHeld ? reason : undefined;
}

/** Of an adopted route it is that route alone that counts: others of the same Node may still wait for consent. */
function isInSync(wish: ObjectWish, { changes, notTaken, next }: Look["plan"]): boolean {
  if (changes.length > 0) return false;
  const route = wish.kind === "adopt" ? wish.route : undefined;
  if (route === undefined) return next.kind === "settled";
  return !notTaken.some(({ reason }) => reason.code === "RouteUnowned" && reason.id === route);
}

function notSeen(wish: ObjectWish, { plan }: Look): IntentReport {
  const [first] = plan.changes;
  const why = refusalOf(plan, wish) ?? first?.reason ?? plan.next.reason;
  const result = `It was carried out, but its effect was not observed afterwards. ${eventMessage(why)}`;
  return { state: "failed", result };
}

function lookWithin({ work, wish, loop }: Errand, limitMs: number): Promise<Look | undefined> {
  return lookFor({ work, loop, asked: askedOf(work.intent, wish) }, limitMs);
}

function lookForEffect({ work, wish, loop }: Errand): Promise<Look | undefined> {
  const isDoneEachTime = actionOf(wish.kind).isDoneEachTime === true;
  const asked = isDoneEachTime ? undefined : askedOf(work.intent, wish);
  return lookFor({ work, loop, asked }, VERIFY_LIMIT_MS);
}

interface Question extends Pick<Errand, "work" | "loop"> {
  readonly asked: Asked<ObjectWish> | undefined;
}

function lookFor({ work, loop, asked }: Question, limitMs: number): Promise<Look | undefined> {
  const { intent } = work;
  const trigger = { kind: "intent", intentId: intent.id, actor: intent.actor } as const;
  return answerWithin(work, limitMs, (signal) =>
    loop.look(loop.keyOf(intent.object), { trigger, asked, signal }),
  );
}

/** Other loops respect holds, but only one writes those of a kind of object. */
function notItsWork({ controller, object }: Intent, { kind }: ObjectWish): string | undefined {
  const carrier = carrierOf(kind, object.kind, controller);
  if (carrier === controller) return undefined;
  return carrier === undefined
    ? `There is no ${kind} of a ${object.kind}; ask for something else.`
    : `${controller} cannot carry out a ${kind}; ask ${carrier} for it.`;
}

/** A balancer's name is its id in the cloud: it has no UID, and no other one comes under it. */
function notThere(loop: IntentTarget, object: ObjectRef): string | undefined {
  if (isOfCloudAlone(object)) return undefined;
  const { uid } = loop.object(loop.keyOf(object));
  if (uid === undefined) return absent(object);
  if (object.uid === undefined || object.uid === uid) return undefined;
  return `${object.kind} ${objectName(object)} was recreated after this was requested; check the new one.`;
}

function absent(object: ObjectRef): string {
  if (isOfCloudAlone(object)) {
    return `The ${kindWord(object.kind)} ${object.name} is no longer in the cloud, or the cluster needs it again.`;
  }
  return `${object.kind} ${objectName(object)} is not in the cluster.`;
}
