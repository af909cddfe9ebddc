import type { Pause } from "../model/controls.ts";
import { formatDuration } from "../model/duration.ts";
import type { Intent, IntentKind } from "../model/intent.ts";
import { objectName } from "../model/object-ref.ts";
import type { Reason } from "../model/reason.ts";
import { cause, eventMessage } from "../model/sentence.ts";
import type { Clock } from "../model/time.ts";
import { reasonOfError } from "./failure.ts";
import type { IntentTarget, Look, RunOutcome } from "./loop-port.ts";
import { pause } from "./pause.ts";
import type { IntentReport } from "./ports.ts";

export interface IntentWork {
  readonly intent: Intent;
  readonly loop: IntentTarget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Does what an intent asks; undefined when this leader's time ended first, so that the next one takes it over. */
export async function carryOut(work: IntentWork): Promise<IntentReport | undefined> {
  const stranger = notThere(work);
  if (stranger !== undefined) return { state: "rejected", result: stranger };
  try {
    const action = WORK[work.intent.kind];
    if (action === undefined) return { state: "rejected", result: "This controller is too old." };
    return await action(work);
  } catch (error) {
    if (work.signal.aborted) return undefined;
    const result = error instanceof NoAnswer ? error.message : eventMessage(reasonOfError(error));
    return { state: "failed", result };
  }
}

const WORK: Partial<Record<IntentKind, (work: IntentWork) => Promise<IntentReport | undefined>>> = {
  preview,
  retry,
};

/** The dialog says within 5 s why there is no answer (DESIGN.md "Processes"). */
const PREVIEW_LIMIT_MS = 4_500;
const VERIFY_LIMIT_MS = 30_000;
const VERIFY_LOOKS = 3;
const BETWEEN_LOOKS_MS = 1_000;

async function preview(work: IntentWork): Promise<IntentReport> {
  const seen = await lookWithin(work, PREVIEW_LIMIT_MS);
  if (seen === undefined) return { state: "rejected", result: absent(work.intent) };
  const { changes, notTaken, next } = seen.plan;
  const { planHash } = seen;
  return {
    state: "verified",
    preview: { planHash, changes: [...changes], notTaken: [...notTaken], next },
  };
}

async function retry(work: IntentWork): Promise<IntentReport | undefined> {
  const { intent, loop } = work;
  const { id: intentId, actor, planHash } = intent;
  const asked = { wish: { kind: "retry" }, intentId, by: actor, why: intent.why } as const;
  const report = await loop.retry(keyOf(intent), { intentId, actor, planHash, asked });
  switch (report.kind) {
    case "stopped":
      return undefined;
    case "planChanged":
      return {
        state: "rejected",
        result: "The plan has changed since it was shown; look at the new one and ask again.",
      };
    case "refused":
      return { state: "rejected", result: eventMessage(report.reason) };
    case "paused":
      return { state: "rejected", result: eventMessage(reasonOfPause(report.pause)) };
    case "ran":
      return { ...(await judgeRun(work, report.run)), runId: report.run.runId };
  }
}

/** A run that found nothing to do has looked already; after one that wrote the effect has to be seen. */
async function judgeRun(work: IntentWork, run: RunOutcome): Promise<IntentReport> {
  if (run.state === "gone") return { state: "failed", result: absent(work.intent) };
  if (run.outcome === "changed") return await verify(work);
  if (run.state === "held") return { state: "rejected", result: eventMessage(run.reason) };
  if (run.outcome === "unchanged") {
    return { state: "verified", result: `Nothing had to be changed: ${cause(run.reason)}.` };
  }
  return { state: "failed", result: eventMessage(run.reason) };
}

async function verify(work: IntentWork): Promise<IntentReport> {
  for (let looks = 1; ; looks++) {
    const seen = await lookWithin(work, VERIFY_LIMIT_MS);
    if (seen === undefined) return { state: "failed", result: absent(work.intent) };
    if (isDone(seen)) {
      const result = `Done, and seen when looked at again: ${cause(seen.plan.next.reason)}.`;
      return { state: "verified", result };
    }
    if (looks >= VERIFY_LOOKS) return { state: "failed", result: stillWanted(seen) };
    await pause(work.clock, BETWEEN_LOOKS_MS, work.signal);
  }
}

function isDone({ plan }: Look): boolean {
  const { kind, reason } = plan.next;
  return plan.changes.length === 0 && kind === "settled" && reason.code !== "HeldByAnnotation";
}

function stillWanted({ plan }: Look): string {
  const [first] = plan.changes;
  const why = eventMessage(first?.reason ?? plan.next.reason);
  return `It was carried out, but its effect was not there when looked at again. ${why}`;
}

async function lookWithin(work: IntentWork, limitMs: number): Promise<Look | undefined> {
  const { intent, loop, clock, signal } = work;
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort());
  const trigger = { kind: "intent", intentId: intent.id, actor: intent.actor } as const;
  try {
    return await loop.look(keyOf(intent), {
      trigger,
      signal: AbortSignal.any([signal, limit.signal]),
    });
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    throw new NoAnswer(limitMs, error);
  } finally {
    cancel();
  }
}

class NoAnswer extends Error {
  constructor(limitMs: number, cause: unknown) {
    const limit = formatDuration(limitMs);
    super(`No answer came within ${limit}; look at the cloud's status and ask again.`, { cause });
  }
}

function notThere({ intent, loop }: IntentWork): string | undefined {
  const { uid } = loop.object(keyOf(intent));
  if (uid === undefined) return absent(intent);
  if (intent.object.uid === undefined || intent.object.uid === uid) return undefined;
  return `${intent.object.kind} ${objectName(intent.object)} was made anew since this was asked for; look at the new one.`;
}

function reasonOfPause({ by, until, why }: Pause): Reason {
  return { code: "ControllerPaused", by, untilMs: until, why };
}

function absent({ object }: Intent): string {
  return `${object.kind} ${objectName(object)} is not in the cluster.`;
}

function keyOf(intent: Intent): string {
  return objectName(intent.object);
}
