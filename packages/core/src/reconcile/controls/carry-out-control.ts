import { isKubeError } from "../../kube/errors.ts";
import { type Change, type ChangeKind, planHash } from "../../model/plan.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Clock } from "../../model/time.ts";
import type { ControlReport, ControlRequest, ControlTarget } from "../intents/control-target.ts";
import { refusalOf } from "../intents/refusal.ts";
import type { Look } from "../loop-port.ts";
import type { ControlDiary, ControlEntry } from "./control-diary.ts";
import { effectSentence, hasEffect, withEffect } from "./control-effect.ts";
import type { ControlStore } from "./control-store.ts";
import { planControl } from "./plan-control.ts";

export interface ControlTargetOptions {
  readonly store: ControlStore;
  readonly diary: ControlDiary;
  readonly clock: Clock;
  /** Of the controllers that run here. */
  readonly controllers: ReadonlySet<string>;
  readonly isGuarded: boolean;
  /** Resolves with whether the loops do by now what the record's pauses say. */
  obeyed(signal: AbortSignal): Promise<boolean>;
}

/** Carries out wishes about controllers and the deletion guard. */
export function createControlTarget(options: ControlTargetOptions): ControlTarget {
  const { store } = options;
  return {
    look: async (asked, object, signal) => {
      await store.refresh({ signal });
      return lookNow(options, { asked, object });
    },
    carryOut: async (request, signal) => {
      await store.refresh({ signal });
      if (isDone(options, request)) return see(options, request, signal);
      const look = await lookNow(options, request);
      const reason = refusalOf(look.plan, request.asked.wish);
      if (reason !== undefined) return { kind: "refused", reason };
      if (request.planHash !== undefined && request.planHash !== look.planHash) {
        return { kind: "planChanged", look };
      }
      return (await write(options, request, look)) ?? see(options, request, signal);
    },
  };
}

async function lookNow(
  { store, controllers, isGuarded, clock }: ControlTargetOptions,
  wished: Pick<ControlRequest, "asked" | "object">,
): Promise<Look> {
  const { record, unavailable } = store;
  const plan = planControl({ ...wished, record, unavailable, controllers, isGuarded }, clock.now());
  return { plan, planHash: await planHash(plan) };
}

/** Answers only what went wrong. */
async function write(
  options: ControlTargetOptions,
  { asked, object }: ControlRequest,
  { plan }: Look,
): Promise<ControlReport | undefined> {
  const { store, clock } = options;
  const { intentId } = asked;
  const nowMs = clock.now();
  try {
    await store.update(
      (record) => ({ record: withEffect(record, { asked, object, nowMs }), answer: undefined }),
      { mustOutlive: true },
    );
  } catch (error) {
    for (const change of plan.changes) tell(options, { change, intentId, result: "failed" });
    if (!isKubeError(error) || error.code !== "Forbidden") throw error;
    const { message } = error;
    return { kind: "refused", reason: { code: "ControlRecordUnavailable", message } };
  }
  for (const change of plan.changes) tell(options, { change, intentId, result: "applied" });
  return undefined;
}

async function see(
  options: ControlTargetOptions,
  request: ControlRequest,
  signal: AbortSignal,
): Promise<ControlReport> {
  const { wish } = request.asked;
  await options.store.refresh({ signal });
  if (!isDone(options, request)) {
    const problem = "it was written, but somebody else has changed the control record since";
    return { kind: "refused", reason: { code: "WishRefused", problem } };
  }
  const isObeyed = wish.kind !== "pause" || (await options.obeyed(signal));
  const rest = isObeyed ? "" : " Runs already under way are still finishing.";
  return { kind: "done", result: `${effectSentence(wish, request.object)}${rest}` };
}

function isDone(
  { store, clock }: ControlTargetOptions,
  { asked, object }: ControlRequest,
): boolean {
  return hasEffect(store.record, { asked, object, nowMs: clock.now() });
}

interface Told {
  readonly change: Change;
  readonly intentId: string;
  readonly result: "applied" | "failed";
}

function tell({ diary }: ControlTargetOptions, { change, intentId, result }: Told): void {
  const words = WORDS[change.kind];
  if (words === undefined) return;
  const { target, before, after, reason } = change;
  const { action, event } = words;
  const controller = target.name;
  const why = eventMessage(reason);
  diary.audit({ controller, action, object: target, why, result, before, after, intentId });
  if (result === "failed") return;
  diary.event({ type: "Normal", reason: event, message: `${controller}: ${why}` });
}

interface Words {
  readonly action: ControlEntry["action"];
  /** The reason of the Event. */
  readonly event: string;
}

const WORDS: Partial<Record<ChangeKind, Words>> = {
  "controller.pause": { action: "controller.pause", event: "ControllerPaused" },
  "controller.resume": { action: "controller.resume", event: "ControllerResumed" },
  "guard.release": { action: "guard.release", event: "DeletionGuardReleased" },
};
