import { isKubeError } from "../../kube/errors.ts";
import { actionOf, doneSentence } from "../../model/actions/action.ts";
import { stillFinishingResult } from "../../model/actions/intent-result.ts";
import { planHash } from "../../model/plan.ts";
import { phrased } from "../../model/reasons/phrases.ts";
import { eventMessage } from "../../model/sentence.ts";
import type { SettingValues } from "../../model/settings/settings.ts";
import type { Clock } from "../../model/time.ts";
import type { ControlReport, ControlRequest, ControlTarget } from "../intents/control-target.ts";
import { refusalOf } from "../intents/refusal.ts";
import type { Preview } from "../loop-port.ts";
import { carriedOut, planControl } from "./control-actions.ts";
import type { ControlDiary } from "./control-diary.ts";
import type { ControlRecord } from "./control-record.ts";
import type { ControlStore } from "./control-store.ts";

export interface ControlTargetOptions {
  readonly store: ControlStore;
  readonly diary: ControlDiary;
  readonly clock: Clock;
  /** The controllers that run in this process. */
  readonly controllers: ReadonlySet<string>;
  readonly flags: SettingValues;
  /** Resolves with whether the loops already follow the pauses in the record. */
  obeyed(signal: AbortSignal): Promise<boolean>;
}

/** Creates the target that carries out actions about controllers and the deletion guard. */
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
      const reason = refusalOf(preview.plan, request.requested.action);
      if (reason !== undefined) return { kind: "refused", reason };
      if (request.planHash !== undefined && request.planHash !== preview.planHash) {
        return { kind: "planChanged", preview };
      }
      return (await write(options, request, preview)) ?? see(options, request, signal);
    },
  };
}

async function previewNow(
  { store, controllers, flags, clock }: ControlTargetOptions,
  action: Pick<ControlRequest, "requested" | "object">,
): Promise<Preview> {
  const { record, unavailable } = store;
  const plan = planControl({ ...action, record, unavailable, controllers, flags }, clock.now());
  return { plan, planHash: await planHash(plan) };
}

/** Returns the error, if any. */
async function write(
  options: ControlTargetOptions,
  request: ControlRequest,
  { plan }: Preview,
): Promise<ControlReport | undefined> {
  const { requested, object } = request;
  const { write: withEffect } = carriedOut(requested.action);
  const nowMs = options.clock.now();
  const change = (record: ControlRecord) => ({
    record: withEffect({ record, requested, object }, nowMs),
    answer: undefined,
  });
  try {
    await options.store.update(change, { mustOutlive: true });
  } catch (error) {
    report(options, request, { plan, result: "failed" });
    if (!isKubeError(error) || error.code !== "Forbidden") throw error;
    const { message } = error;
    return { kind: "refused", reason: { code: "ControlRecordUnavailable", message } };
  }
  report(options, request, { plan, result: "applied" });
  return undefined;
}

async function see(
  options: ControlTargetOptions,
  request: ControlRequest,
  signal: AbortSignal,
): Promise<ControlReport> {
  const { action } = request.requested;
  await options.store.refresh({ signal });
  if (!isDone(options, request)) {
    const problem = phrased("problem", "recordChangedSince");
    return { kind: "refused", reason: { code: "WishRefused", ...problem } };
  }
  const isObeyed = carriedOut(action).isObeyed !== true || (await options.obeyed(signal));
  const said = isObeyed ? doneSentence : stillFinishingResult;
  return { kind: "done", result: said(action, request.object) };
}

function isDone(
  { store, clock }: ControlTargetOptions,
  { requested, object }: ControlRequest,
): boolean {
  const { record } = store;
  return carriedOut(requested.action).isDone({ record, requested, object }, clock.now());
}

function report(
  { diary }: ControlTargetOptions,
  { requested }: ControlRequest,
  { plan, result }: Pick<Preview, "plan"> & { readonly result: "applied" | "failed" },
): void {
  const { action, intentId } = requested;
  const { verb } = actionOf(action.kind);
  for (const { target, before, after, reason } of plan.changes) {
    const controller = target.name;
    const why = eventMessage(reason);
    diary.audit({ controller, action: verb, object: target, why, result, before, after, intentId });
    if (result === "failed") continue;
    const { event, eventSubject } = carriedOut(action);
    diary.event(event, `${eventSubject?.(action) ?? controller}: ${why}`);
  }
}
