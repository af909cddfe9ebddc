import type { ControllerName } from "../model/controller-names.ts";
import type { Intent } from "../model/intent.ts";
import { type ObjectRef, objectName } from "../model/object-ref.ts";
import type { Reason } from "../model/reason.ts";
import { cause, eventMessage } from "../model/sentence.ts";
import type { ObjectWish } from "../model/wish.ts";
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
import type { IntentTarget, Look, RetryReport, RunOutcome } from "./loop-port.ts";
import { pause } from "./pause.ts";
import type { IntentReport } from "./ports.ts";
import { refusalOf } from "./refusal.ts";

const VERIFY_LIMIT_MS = 30_000;
const VERIFY_LOOKS = 3;
const BETWEEN_LOOKS_MS = 1_000;

/** Retries, holds, releases and overrides: wishes that a run of the object's loop carries out. */
export async function carryOutObjectWish(
  work: IntentWork,
  wish: ObjectWish,
): Promise<IntentReport | undefined> {
  const { intent, loop } = work;
  if (loop === undefined) {
    return rejected("The controller that it is for does not run here; look at --controllers.");
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
  const report = await loop.retry(objectName(intent.object), {
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
      return planChanged(report.look);
    case "refused":
      return refused(errand.work, report.reason);
    case "ran":
      return { ...(await judgeRun(errand, report.run)), runId: report.run.runId };
  }
}

/** A retry that found nothing to do has looked already; after a run that wrote the effect has to be seen. */
async function judgeRun(errand: Errand, run: RunOutcome): Promise<IntentReport> {
  if (run.state === "gone") return { state: "failed", result: absent(errand.work.intent.object) };
  if (run.outcome === "failed" || run.outcome === "timedOut") return judgeFailed(errand, run);
  if (run.applied > 0) return verify(errand, VERIFY_LOOKS);
  if (run.state === "held") return rejected(eventMessage(run.reason));
  if (run.outcome === "unchanged") {
    return { state: "verified", result: `Nothing had to be changed: ${cause(run.reason)}.` };
  }
  return { state: "failed", result: eventMessage(run.reason) };
}

/** A write whose answer got lost may have been made all the same. */
async function judgeFailed(errand: Errand, run: RunOutcome): Promise<IntentReport> {
  const failed: IntentReport = { state: "failed", result: eventMessage(run.reason) };
  if (errand.wish.kind === "retry") return failed;
  const report = await verify(errand, 1);
  return report.state === "verified" ? report : failed;
}

async function verify(errand: Errand, most: number): Promise<IntentReport> {
  const { clock, signal, intent } = errand.work;
  for (let looks = 1; ; looks++) {
    const look = await lookWithin(errand, VERIFY_LIMIT_MS);
    if (look === undefined) return { state: "failed", result: absent(intent.object) };
    const effect = effectOf(errand.wish, look);
    if (effect !== undefined) return seen(effect);
    if (looks >= most) return { state: "failed", result: stillWanted(errand.wish, look) };
    await pause(clock, BETWEEN_LOOKS_MS, signal);
  }
}

/**
 * What is there of the wish when looked at; undefined when it is not there. A hold, release or override is there when the
 * same wish would find nothing to do.
 */
function effectOf(wish: ObjectWish, { plan }: Look): Reason | undefined {
  if (wish.kind !== "retry") {
    const refusal = refusalOf(plan, wish);
    return refusal?.code === "NothingToDo" ? refusal : undefined;
  }
  const { kind, reason } = plan.next;
  const isDone = plan.changes.length === 0 && kind === "settled";
  return isDone && reason.code !== "HeldByAnnotation" ? reason : undefined;
}

function stillWanted(wish: ObjectWish, { plan }: Look): string {
  const [first] = plan.changes;
  const why = refusalOf(plan, wish) ?? first?.reason ?? plan.next.reason;
  return `It was carried out, but its effect was not there when looked at again. ${eventMessage(why)}`;
}

function lookWithin({ work, wish, loop }: Errand, limitMs: number): Promise<Look | undefined> {
  const { intent } = work;
  const trigger = { kind: "intent", intentId: intent.id, actor: intent.actor } as const;
  return answerWithin(work, limitMs, (signal) =>
    loop.look(objectName(intent.object), { trigger, asked: askedOf(intent, wish), signal }),
  );
}

/** Other loops respect holds, but only one writes them. */
function notItsWork({ controller }: Intent, { kind }: ObjectWish): string | undefined {
  if (kind === "retry" || controller === WRITES_HOLDS) return undefined;
  return `${controller} cannot carry out a ${kind}; ask ${WRITES_HOLDS} for it.`;
}

const WRITES_HOLDS: ControllerName = "cloud-node-controller";

function notThere(loop: IntentTarget, object: ObjectRef): string | undefined {
  const { uid } = loop.object(objectName(object));
  if (uid === undefined) return absent(object);
  if (object.uid === undefined || object.uid === uid) return undefined;
  return `${object.kind} ${objectName(object)} was made anew since this was asked for; look at the new one.`;
}

function absent(object: ObjectRef): string {
  return `${object.kind} ${objectName(object)} is not in the cluster.`;
}
