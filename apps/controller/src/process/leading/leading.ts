import { RoutesUnderWay } from "@cloudwright/core/controllers/objects/routes-under-way";
import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import type { UnsentEvent } from "@cloudwright/core/kube/events/events";
import type { Term } from "@cloudwright/core/kube/lease/election";
import type { ControllerName } from "@cloudwright/core/model/controller-names";
import type { ControlsStatus } from "@cloudwright/core/model/controls";
import type { Heartbeat } from "@cloudwright/core/model/records/record";
import type { Checkpoints } from "@cloudwright/core/reconcile/checkpoints/keep-checkpoints";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import type { IntentTarget } from "@cloudwright/core/reconcile/loop-port";
import type { IntentSource } from "@cloudwright/core/reconcile/ports";
import type { HealthCheck } from "../../http/pages.ts";
import { moduleOf } from "../../modules.ts";
import { initialise, reportConfigProblems } from "../../wiring/cloud/load-cloud.ts";
import {
  obstacleTo,
  type RunnableContext,
  runnable,
} from "../../wiring/controllers/controller-needs.ts";
import { createEvents } from "../../wiring/controllers/emitters.ts";
import {
  type ControllerContext,
  type StartedController,
  startModule,
} from "../../wiring/controllers/started-controller.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { LedgerAudit } from "../ledger/ledger.ts";
import { startCheckpoints } from "../ledger/start-checkpoints.ts";
import { aborted } from "../stop-signal.ts";
import { checkOf, statusOf } from "./controller-status.ts";
import { answerIntents, obeyPauses, openControlsOf } from "./open-controls.ts";

export interface LeadingOptions {
  /** Its client is that of the process; controllers get theirs from `clientOf`. */
  readonly parts: Omit<ControllerContext, "controls" | "routesUnderWay">;
  /** The controllers under the main Lease. */
  readonly selected: readonly ControllerName[];
  readonly migrated?: Migrated;
  readonly term: Term;
  /** Returns a controller's client. Throws KubeError if its own identity cannot be read. */
  clientOf(controller: ControllerName): Promise<KubeConnection>;
  /** Undefined without a database: then no action can be requested. */
  readonly intents: IntentSource | undefined;
  /** Undefined without a database, too. */
  readonly audit: LedgerAudit | undefined;
  /** Called when the value of a setting changes, which is worth an immediate report. */
  onSetting(): void;
  /** Called when the provider or a controller cannot start: a leader that cannot work must give way. */
  onFailed(error: unknown): void;
}

/** Controllers that start once the second Lease is also held. */
export interface Migrated {
  readonly controllers: readonly ControllerName[];
  /** The Lease, as `namespace/name`. */
  readonly lease: string;
  readonly mainLease: string;
  /** Resolves when it is held. */
  readonly held: Promise<void>;
}

/** What runs while this process leads. */
export interface Leading {
  readonly term: Term;
  /** Resolves once every controller has started and has listed its objects. Throws the error that prevented it. */
  synced(): Promise<void>;
  /** Reports whether no controller has any work due. */
  isIdle(): boolean;
  /** Returns what controllers could not list, and why. */
  unseen(): readonly Unseen[];
  checks(): readonly HealthCheck[];
  controllers(): Heartbeat["controllers"];
  /** Returns undefined until the control record has been read. */
  controls(): ControlsStatus | undefined;
  /** Lets current runs finish until the deadline, then records them as interrupted. */
  stop(deadlineMs: number): Promise<void>;
  /**
   * Sends the remaining Events after the Lease was released, so that the next leader does not wait for them. Returns those that
   * are left at the deadline, or if the API server refuses them. Without `isReleased` the fence blocks them.
   */
  sendEvents(
    deadlineMs: number,
    options: { readonly isReleased: boolean },
  ): Promise<readonly UnsentEvent[]>;
}

const CHECKPOINT_DEADLINE_MS = 500;
/** The source of Events on the control record. */
const CONTROLS_SOURCE = "cloudwright-controls";

/** Starts the provider, then the controllers one after the other, then the processing of users' actions. */
export function startLeading(options: LeadingOptions): Leading {
  const stopping = new AbortController();
  const { signal } = stopping;
  const started: StartedController[] = [];
  const events = createEvents(options.parts, CONTROLS_SOURCE);
  let controls: Controls | undefined;
  let checkpoints: Checkpoints | undefined;
  const open = async (isProviderReady: boolean) => {
    const here = [...options.selected, ...(options.migrated?.controllers ?? [])];
    const running = runnable(here, { ...options.parts, isProviderReady });
    controls = await openControlsOf(options.parts, events, {
      running,
      onSetting: options.onSetting,
      signal,
    });
    checkpoints = startCheckpoints(options.parts.processContext, options.audit, controls);
    return controls;
  };
  const starting = startAll(options, { started, open, signal });
  const done = starting.catch((error: unknown) => {
    if (!signal.aborted) options.onFailed(error);
  });
  return {
    term: options.term,
    synced: () => allSynced(starting, started),
    isIdle: () => started.every((controller) => controller.isIdle()),
    unseen: () => started.flatMap(unseenBy),
    checks: () => started.map(checkOf),
    controllers: () => started.map((controller) => statusOf(controller, leaseOf(options))),
    controls: () => controls?.status(),
    stop: async (deadlineMs) => {
      stopping.abort();
      await done;
      await Promise.all(started.map((controller) => controller.stop(deadlineMs)));
      await checkpoints?.stop(CHECKPOINT_DEADLINE_MS);
      await controls?.close();
      for (const { name } of started)
        options.parts.processContext.metrics.process.running(name, false);
    },
    sendEvents: async (deadlineMs, given) => {
      const recorders = [events, ...started.map((controller) => controller.events)];
      const left = await Promise.all(
        recorders.map((recorder) => recorder.flush(deadlineMs, given)),
      );
      return left.flat();
    },
  };
}

export interface Unseen {
  readonly controller: ControllerName;
  readonly why: string;
}

function unseenBy({ name, unseen }: StartedController): readonly Unseen[] {
  const why = unseen();
  return why === undefined ? [] : [{ controller: name, why }];
}

async function allSynced(
  starting: Promise<void>,
  started: readonly StartedController[],
): Promise<void> {
  await starting;
  await Promise.all(started.map(({ synced }) => synced));
}

/** Undefined if there is only one Lease. */
function leaseOf({ migrated }: LeadingOptions) {
  return (controller: ControllerName): string | undefined =>
    migrated?.controllers.includes(controller) ? migrated.lease : migrated?.mainLease;
}

interface Start {
  readonly started: StartedController[];
  open(isProviderReady: boolean): Promise<Controls>;
  readonly signal: AbortSignal;
}

async function startAll(options: LeadingOptions, { started, open, signal }: Start): Promise<void> {
  const { selected, migrated, intents, term } = options;
  const { processContext } = options.parts;
  const isProviderReady = await initialise(options.parts, signal);
  const parts = { ...options.parts, isProviderReady };
  void reportConfigProblems(parts, signal);
  const controls = await open(isProviderReady);
  const loops = new Map<ControllerName, IntentTarget>();
  const routesUnderWay = new RoutesUnderWay(processContext.clock);
  const start = async (names: readonly ControllerName[]) => {
    for (const name of runnable(names, parts)) moduleOf(name).beforeStart?.({ routesUnderWay });
    for (const name of names) {
      const one = { options, parts, controls, routesUnderWay, name, started, signal };
      const controller = await startOne(one);
      if (controller !== undefined) loops.set(name, controller.loop);
    }
  };
  await start(selected);
  if (signal.aborted) return;
  answerIntents({ processContext, intents, term, loops, controls, signal });
  if (migrated === undefined) return;
  await Promise.race([migrated.held, aborted(signal)]);
  await start(migrated.controllers);
}

interface OneStart extends Pick<Start, "started" | "signal"> {
  readonly options: LeadingOptions;
  readonly parts: LeadingOptions["parts"] & Pick<RunnableContext, "isProviderReady">;
  readonly controls: Controls;
  readonly routesUnderWay: RoutesUnderWay;
  readonly name: ControllerName;
}

/** Returns undefined for a controller that cannot run here, and once this process has to stop. */
async function startOne(start: OneStart): Promise<StartedController | undefined> {
  const { options, parts, controls, routesUnderWay, name, started, signal } = start;
  const { processContext, cloud } = parts;
  if (signal.aborted) return undefined;
  const obstacle = obstacleTo(parts, name);
  if (obstacle !== undefined) {
    const fields = { controller: name, provider: cloud.provider.name };
    processContext.log.warn(fields, `Not started: ${obstacle}`);
    return undefined;
  }
  if (started.length > 0) await startInterval(processContext, signal);
  const client = await Promise.race([options.clientOf(name), aborted(signal)]);
  if (client === undefined || signal.aborted) return undefined;
  const controller = startModule(moduleOf(name), { ...parts, client, controls, routesUnderWay });
  obeyPauses(controls, controller);
  started.push(controller);
  processContext.metrics.process.running(name, true);
  processContext.log.info(
    { controller: name, lease: leaseOf(options)(name) },
    "Controller started",
  );
  return controller;
}

/** Waits for one to two times `--controller-start-interval` (spec/00 §2.9). */
async function startInterval(
  { flags, random, clock }: ProcessContext,
  signal: AbortSignal,
): Promise<void> {
  const delayMs = flags["controller-start-interval"] * (1 + random());
  if (delayMs === 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    clock.after(delayMs, resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
