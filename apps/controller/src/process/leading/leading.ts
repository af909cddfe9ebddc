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
  /** Its client is the process's own; controllers have that of `clientOf`. */
  readonly parts: Omit<ControllerContext, "controls" | "routesUnderWay">;
  /** Those under the main Lease. */
  readonly selected: readonly ControllerName[];
  readonly migrated?: Migrated;
  readonly term: Term;
  /** Throws KubeError when the controller's own identity cannot be read. */
  clientOf(controller: ControllerName): Promise<KubeConnection>;
  /** Undefined without a database: then nobody can request an action. */
  readonly intents: IntentSource | undefined;
  /** Undefined without a database, too. */
  readonly audit: LedgerAudit | undefined;
  /** Called when another value of a setting holds than before: it is worth a report at once. */
  onSetting(): void;
  /** Called when the provider or a controller cannot start: whoever leads without working must make room. */
  onFailed(error: unknown): void;
}

/** Controllers that start once the second Lease is held as well. */
export interface Migrated {
  readonly controllers: readonly ControllerName[];
  /** Each as `namespace/name`. */
  readonly lease: string;
  readonly mainLease: string;
  /** Resolves when it is held. */
  readonly held: Promise<void>;
}

/** What runs while this process leads. */
export interface Leading {
  readonly term: Term;
  /** Resolves when every controller was started and knows its objects. Throws what kept them from it. */
  synced(): Promise<void>;
  /** Whether no controller has anything to do that is due. */
  isIdle(): boolean;
  /** What controllers could not list, and why. */
  unseen(): readonly Unseen[];
  checks(): readonly HealthCheck[];
  controllers(): Heartbeat["controllers"];
  /** Undefined until the control record was read. */
  controls(): ControlsStatus | undefined;
  /** Runs on their way may finish until the deadline, then are recorded as interrupted. */
  stop(deadlineMs: number): Promise<void>;
  /**
   * Sends the Events that are still owed, once the Lease was given back, so that the next leader does not wait for them; answers those
   * that are left at the deadline, or when the API server takes none. Without `isReleased` the fence keeps them back.
   */
  sendEvents(
    deadlineMs: number,
    options: { readonly isReleased: boolean },
  ): Promise<readonly UnsentEvent[]>;
}

const CHECKPOINT_DEADLINE_MS = 500;
/** The source of Events on the control record. */
const CONTROLS_SOURCE = "cloudwright-controls";

/** Starts the provider's part, the controllers one after the other, then what carries out users' actions. */
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

/** Undefined where there is but one. */
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

/** Undefined for one that cannot run here, and once this process shall stop. */
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

/** `--controller-start-interval` times one to two (spec/00 §2.9). */
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
