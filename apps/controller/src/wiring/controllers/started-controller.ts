import type {
  ControllerSpec,
  ModuleContext,
} from "@cloudwright/core/controllers/controller-module";
import type { NodeSightings } from "@cloudwright/core/controllers/objects/node-sightings";
import { nameOf } from "@cloudwright/core/controllers/objects/object-meta";
import type { RoutesUnderWay } from "@cloudwright/core/controllers/objects/routes-under-way";
import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import type { Node } from "@cloudwright/core/kube/client";
import type { EventRecorder } from "@cloudwright/core/kube/events/events";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import type { Change } from "@cloudwright/core/model/plan";
import type { Trigger } from "@cloudwright/core/model/run";
import { NODE_BACKOFF } from "@cloudwright/core/queue/backoff";
import { createWorkQueue, type MeasuredWorkQueue } from "@cloudwright/core/queue/work-queue";
import { startControllerLoop } from "@cloudwright/core/reconcile/controller-loop";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import type { Effects } from "@cloudwright/core/reconcile/effects";
import type { Pace } from "@cloudwright/core/reconcile/every-period";
import type { ControllerLoop, RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { Reconciler } from "@cloudwright/core/reconcile/reconciler";
import { createRecovery, type Recovery } from "@cloudwright/core/reconcile/recovery";
import { mostUrgent } from "@cloudwright/core/reconcile/triggers";
import type { FlagValues } from "../../flags/definitions/all.ts";
import type { Module } from "../../modules.ts";
import type { CloudAccess } from "../cloud/cloud-access.ts";
import { informersSynced, type WatchCaches } from "../cluster/cluster-informers.ts";
import type { ProcessContext } from "../process-context.ts";
import { createEffects, createEvents } from "./emitters.ts";
import { presenceOf, reportPresent } from "./present-objects.ts";
import { createRunLog, type RunLog } from "./run-log.ts";

/** The dependencies of a controller. */
export interface ControllerContext {
  readonly processContext: ProcessContext;
  readonly client: KubeConnection;
  readonly nodes: Informer<Node>;
  readonly sightings: NodeSightings;
  readonly caches: WatchCaches;
  readonly cloud: CloudAccess;
  readonly clusterUid: string;
  readonly recorder: Recorder;
  readonly controls: Pick<Controls, "guard" | "onReleased" | "settings" | "text">;
  /** What the route controller passes on to the node controller. */
  readonly routesUnderWay: RoutesUnderWay;
}

/** A running controller. */
export interface StartedController {
  readonly name: ControllerName;
  /** From its module. */
  readonly actions: Module["actions"] | undefined;
  readonly loop: ControllerLoop;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly pace: Readonly<Pace>;
  readonly events: EventRecorder;
  /** Resolves when all its objects have been listed and queued. */
  readonly synced: Promise<void>;
  /** Reports whether no key is due or in progress, and no request is pending that may add keys. */
  isIdle(): boolean;
  /** Returns what it could not list in the cloud, and why; cloud resources without an object in the cluster were not observed then. */
  unseen(): string | undefined;
  /** Stops what feeds the queue, then the loop. */
  stop(deadlineMs: number): Promise<void>;
}

type Spec<Observed, Typed extends Change, Memory, Answer> = ControllerSpec<
  Observed,
  Typed,
  Memory,
  Answer
>;

/** Starts a controller as its module describes. */
export function startModule(module: Module, context: ControllerContext): StartedController {
  return module.start(contextOf(context, module.name), (spec) =>
    startController(context, module, spec),
  );
}

function contextOf(context: ControllerContext, name: ControllerName): ModuleContext<FlagValues> {
  const { processContext, client, nodes, sightings, caches, cloud, clusterUid, recorder } = context;
  const { flags, given, clock, random, log, metrics } = processContext;
  return {
    isGiven: (flag) => given.includes(flag),
    ...{ flags, clock, random, log, client, nodes, sightings, clusterUid },
    informerOf: (watch) => caches.of(watch),
    provider: cloud.provider,
    cloud: {
      instances: cloud.instances,
      loadBalancers: cloud.balancers(clusterUid),
      routes: cloud.routes,
      volumes: cloud.volumes,
    },
    controls: context.controls,
    routesUnderWay: context.routesUnderWay,
    instruments: {
      record: (metric, value, labels = {}) =>
        metrics.declared.record({ name: metric, value, labels }),
      gauge: metrics.declared.gauge,
    },
    notePresent: (kind, names) =>
      recorder.append(presenceOf(context, { controller: name, kind, names })),
  };
}

/** Runs a controller: its queue and Events, its loop and, once that accepts keys, what feeds it. */
function startController<Observed, Typed extends Change, Memory, Answer>(
  context: ControllerContext,
  module: Module,
  spec: Spec<Observed, Typed, Memory, Answer>,
): StartedController {
  const { name, actions } = module;
  const { processContext, client, nodes, sightings, cloud } = context;
  const queue = createQueue(context, name, spec);
  const isBusy = () => queue.depth + queue.working > BUSY_FROM_KEYS;
  const events = createEvents(context, controllerOf(name).eventSource, isBusy);
  const effects = createEffects(context, events);
  const pace: Pace = { nextAt: undefined };
  const { reconciler, feed, ended, isRequesting, unseen, present } = spec.build({
    client,
    informer: nodes,
    sightings,
    queue,
    events,
    effects,
    clock: processContext.clock,
    pace,
    provider: cloud.provider.name,
  });
  const recovery = createRecovery({ queue, clock: processContext.clock });
  const runLog = createRunLog(processContext.log, name, processContext.runNotes);
  const loop = startLoop(context, {
    ...spec,
    controller: module,
    reconciler,
    queue,
    effects,
    recovery,
    runLog,
    ...(ended === undefined ? {} : { ended }),
  });
  const stopFeeding = feed(loop.memoryStore);
  const synced = informersSynced(context);
  reportPresent(context, {
    name,
    kind: spec.kind ?? controllerOf(name).objectKind,
    synced,
    present: present ?? (() => nodes.list().map(nameOf)),
  });
  return {
    ...{ name, actions },
    ...{ loop, queue, pace, events, synced },
    isIdle: () => queue.depth + queue.working === 0 && isRequesting?.() !== true,
    unseen: () => unseen?.(),
    stop: async (deadlineMs) => {
      stopFeeding();
      recovery.stop();
      await loop.stop(deadlineMs);
      runLog.summarise();
    },
  };
}

/** From this many keys on there is a wave, in which writes to nodes take precedence over Events. */
const BUSY_FROM_KEYS = 16;

function createQueue(
  { processContext }: ControllerContext,
  controller: ControllerName,
  { backoff = NODE_BACKOFF, merge = mostUrgent }: Pick<AnySpec, "backoff" | "merge">,
): MeasuredWorkQueue<Trigger> {
  const { clock, random, metrics } = processContext;
  const name = controllerOf(controller).queueName;
  const queue = createWorkQueue<Trigger>({
    name,
    clock,
    random,
    backoff,
    merge,
    metrics: metrics.queues.of(name),
  });
  metrics.queues.watch(queue);
  return queue;
}

type AnySpec = Spec<never, never, never, never>;

interface LoopOptions<Observed, Typed extends Change, Memory, Answer>
  extends Pick<
    Spec<Observed, Typed, Memory, Answer>,
    "concurrency" | "isConcurrencyStrict" | "runTimeoutMs" | "wording"
  > {
  readonly controller: Module;
  readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly effects: Effects;
  readonly recovery: Recovery;
  readonly runLog: RunLog;
  readonly ended?: (outcome: RunOutcome, memory: Memory) => void;
}

/** Runs a reconciler as a loop whose outcomes are counted, logged and sent as Events. */
function startLoop<Observed, Typed extends Change, Memory, Answer>(
  context: ControllerContext,
  {
    controller,
    reconciler,
    queue,
    effects,
    recovery,
    runLog,
    concurrency,
    isConcurrencyStrict = false,
    runTimeoutMs,
    wording,
    ended,
  }: LoopOptions<Observed, Typed, Memory, Answer>,
): ControllerLoop<Memory> {
  const { processContext, recorder, clusterUid } = context;
  const { clock, random, identity, flags, metrics } = processContext;
  const loop = startControllerLoop({
    controller,
    reconciler,
    effects,
    queue,
    ...{ concurrency, isConcurrencyStrict },
    ...(runTimeoutMs === undefined ? {} : { runTimeoutMs }),
    recorder,
    clock,
    random,
    identity: { cluster: clusterUid, instance: identity },
    dryRun: flags["dry-run"],
    ...(wording === undefined ? {} : { wording }),
    onOutcome: (outcome, memory) => {
      metrics.own.runEnded(outcome);
      metrics.manager.ended(context.cloud.provider.upstreamMetrics, outcome);
      runLog.ended(outcome);
      ended?.(outcome, memory);
      recovery.ended(loop.keyOf(outcome.object), outcome);
    },
  });
  return loop;
}
