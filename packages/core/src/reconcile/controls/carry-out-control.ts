import { isKubeError } from "../../kube/errors.ts";
import { type Change, type ChangeKind, planHash } from "../../model/plan.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { Clock } from "../../model/time.ts";
import type { ControlReport, ControlRequest, ControlTarget } from "../intents/control-target.ts";
import { refusalOf } from "../intents/refusal.ts";
import type { Preview } from "../loop-port.ts";
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

/** Carries out actions about controllers and the deletion guard. */
export function createControlTarget(options: ControlTargetOptions): ControlTarget {
  const { store } = options;
  return {
    preview: async (requested, object, signal) => {
      await store.refresh({ signal });
      return previewNow(options, { requested, object });
    },
    carryOut: async (request, signal) => {
      await store.refresh({ signal });
      if (isDone(options, request)) return see(options, request, signal);
      const preview = await previewNow(options, request);
      const reason = refusalOf(preview.plan, request.requested.wish);
      if (reason !== undefined) return { kind: "refused", reason };
      if (request.planHash !== undefined && request.planHash !== preview.planHash) {
        return { kind: "planChanged", preview };
      }
      return (await write(options, request, preview)) ?? see(options, request, signal);
    },
  };
}

async function previewNow(
  { store, controllers, isGuarded, clock }: ControlTargetOptions,
  action: Pick<ControlRequest, "requested" | "object">,
): Promise<Preview> {
  const { record, unavailable } = store;
  const plan = planControl({ ...action, record, unavailable, controllers, isGuarded }, clock.now());
  return { plan, planHash: await planHash(plan) };
}

/** Answers only what went wrong. */
async function write(
  options: ControlTargetOptions,
  { requested, object }: ControlRequest,
  { plan }: Preview,
): Promise<ControlReport | undefined> {
  const { store, clock } = options;
  const { intentId } = requested;
  const nowMs = clock.now();
  try {
    await store.update(
      (record) => ({ record: withEffect(record, { requested, object, nowMs }), answer: undefined }),
      { mustOutlive: true },
    );
  } catch (error) {
    for (const change of plan.changes) report(options, { change, intentId, result: "failed" });
    if (!isKubeError(error) || error.code !== "Forbidden") throw error;
    const { message } = error;
    return { kind: "refused", reason: { code: "ControlRecordUnavailable", message } };
  }
  for (const change of plan.changes) report(options, { change, intentId, result: "applied" });
  return undefined;
}

async function see(
  options: ControlTargetOptions,
  request: ControlRequest,
  signal: AbortSignal,
): Promise<ControlReport> {
  const { wish: action } = request.requested;
  await options.store.refresh({ signal });
  if (!isDone(options, request)) {
    const problem = "it was written, but somebody else has changed the control record since";
    return { kind: "refused", reason: { code: "WishRefused", problem } };
  }
  const isObeyed = action.kind !== "pause" || (await options.obeyed(signal));
  const rest = isObeyed ? "" : " Runs already under way are still finishing.";
  return { kind: "done", result: `${effectSentence(action, request.object)}${rest}` };
}

function isDone(
  { store, clock }: ControlTargetOptions,
  { requested, object }: ControlRequest,
): boolean {
  return hasEffect(store.record, { requested, object, nowMs: clock.now() });
}

interface ReportedNode {
  readonly change: Change;
  readonly intentId: string;
  readonly result: "applied" | "failed";
}

function report({ diary }: ControlTargetOptions, { change, intentId, result }: ReportedNode): void {
  const words = LABELS[change.kind];
  if (words === undefined) return;
  const { target, before, after, reason } = change;
  const { action, event } = words;
  const controller = target.name;
  const why = eventMessage(reason);
  diary.audit({ controller, action, object: target, why, result, before, after, intentId });
  if (result === "failed") return;
  diary.event({ type: "Normal", reason: event, message: `${controller}: ${why}` });
}

interface Labels {
  readonly action: ControlEntry["action"];
  /** The reason of the Event. */
  readonly event: string;
}

const LABELS: Partial<Record<ChangeKind, Labels>> = {
  "controller.pause": { action: "controller.pause", event: "ControllerPaused" },
  "controller.resume": { action: "controller.resume", event: "ControllerResumed" },
  "guard.release": { action: "guard.release", event: "DeletionGuardReleased" },
};
