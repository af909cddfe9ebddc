import type { NodeSightings } from "@cloudwright/core/controllers/objects/node-sightings";
import { nameOf } from "@cloudwright/core/controllers/objects/object-meta";
import type { RoutesUnderWay } from "@cloudwright/core/controllers/objects/routes-under-way";
import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import type { Node, Service } from "@cloudwright/core/kube/client";
import type { EventRecorder } from "@cloudwright/core/kube/events/events";
import type { Informer } from "@cloudwright/core/kube/informer/informer-port";
import { type ControllerName, controllerOf } from "@cloudwright/core/model/controller-names";
import type { Change } from "@cloudwright/core/model/plan";
import type { Trigger } from "@cloudwright/core/model/run";
import type { Clock } from "@cloudwright/core/model/time";
import { type Backoff, NODE_BACKOFF } from "@cloudwright/core/queue/backoff";
import { createWorkQueue, type MeasuredWorkQueue } from "@cloudwright/core/queue/work-queue";
import { startControllerLoop } from "@cloudwright/core/reconcile/controller-loop";
import type { Controls } from "@cloudwright/core/reconcile/controls/open-controls";
import type { Effects } from "@cloudwright/core/reconcile/effects";
import type {
  ControllerLoop,
  ControllerLoopOptions,
  RunOutcome,
} from "@cloudwright/core/reconcile/loop-port";
import type { ReadMemories } from "@cloudwright/core/reconcile/memories";
import type { Recorder } from "@cloudwright/core/reconcile/ports";
import type { Reconciler } from "@cloudwright/core/reconcile/reconciler";
import { createRecovery, type Recovery } from "@cloudwright/core/reconcile/recovery";
import { mostUrgent } from "@cloudwright/core/reconcile/triggers";
import type { CloudAccess } from "../cloud/cloud-access.ts";
import type { StorageMirrors } from "../cluster/mirror-storage.ts";
import { mirrorsSynced } from "../cluster/mirrors.ts";
import type { Foundation } from "../foundation.ts";
import { createEffects, createEvents } from "./emitters.ts";
import { tellPresent } from "./present-objects.ts";
import { createRunLog, type RunLog } from "./run-log.ts";

/** What a controller is made from. */
export interface ControllerParts {
  readonly foundation: Foundation;
  readonly client: KubeConnection;
  readonly nodes: Informer<Node>;
  readonly sightings: NodeSightings;
  /** Undefined when nothing here has to do with Services. */
  readonly services: Informer<Service> | undefined;
  /** Undefined when nothing here has to do with volumes. */
  readonly storage: StorageMirrors | undefined;
  readonly cloud: CloudAccess;
  readonly clusterUid: string;
  readonly recorder: Recorder;
  readonly controls: Pick<Controls, "guard" | "onReleased" | "orphans">;
  /** What the controller of routes tells that of nodes. */
  readonly routesUnderWay: RoutesUnderWay;
}

/** A controller that runs. */
export interface StartedController {
  readonly name: ControllerName;
  readonly loop: ControllerLoop;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly events: EventRecorder;
  /** Resolves when it knows all its objects: they are in the queue then. */
  readonly synced: Promise<void>;
  /** Whether no key is due or being worked on, and no question is on its way that may bring some. */
  isIdle(): boolean;
  /** What of the cloud it could not list, and why; objects that nothing in the cluster refers to were not observed then. */
  unseen(): string | undefined;
  /** Ends what feeds the queue, then the loop. */
  stop(deadlineMs: number): Promise<void>;
}

/** What a controller of nodes builds its reconciler and its feeding of; each takes of it what it needs. */
export interface ControllerMeans {
  readonly client: KubeConnection;
  readonly informer: Informer<Node>;
  readonly sightings: NodeSightings;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly events: EventRecorder;
  readonly effects: Effects;
  readonly clock: Clock;
  /** The provider's name. */
  readonly provider: string;
}

export interface ControllerWish<Observed, Typed extends Change, Memory, Answer> {
  readonly name: ControllerName;
  /** How many runs may write at the same time. */
  readonly concurrency: number;
  /** Of failing keys; the node loops' unless given. */
  readonly backoff?: Backoff | ((key: string) => Backoff);
  /** The trigger that stays when a key became due twice; the most urgent unless given. */
  readonly merge?: (earlier: Trigger, later: Trigger) => Trigger;
  /** What Events of its outcomes are called and say; by their Reasons unless given. */
  readonly wording?: NonNullable<ControllerLoopOptions<Observed, Typed, Memory, Answer>["wording"]>;
  build(means: ControllerMeans): {
    readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
    /** Begins to put keys into the queue; the answer stops that. */
    feed(memories: ReadMemories<Memory>): () => void;
    /** Notified of each run's end, with what it has left to remember. */
    readonly ended?: (outcome: RunOutcome, memory: Memory) => void;
    /** Whether what feeds it has asked the cloud for more keys and waits for the answer. */
    readonly isAsking?: () => boolean;
    /** What its last listing of the cloud failed to show, and why. */
    readonly unseen?: () => string | undefined;
    /** The objects that it works on, by the names of states, once its caches are warm; all nodes unless given. */
    readonly present?: () => readonly string[];
  };
}

/** Runs a controller: its queue and Events, its loop and, once that takes keys, what feeds it. */
export function startController<Observed, Typed extends Change, Memory, Answer>(
  parts: ControllerParts,
  wish: ControllerWish<Observed, Typed, Memory, Answer>,
): StartedController {
  const { name, build } = wish;
  const { foundation, client, nodes, sightings, cloud } = parts;
  const queue = createQueue(parts, wish);
  const isBusy = () => queue.depth + queue.working > BUSY_FROM_KEYS;
  const events = createEvents(parts, controllerOf(name).eventSource, isBusy);
  const effects = createEffects(parts, events);
  const { reconciler, feed, ended, isAsking, unseen, present } = build({
    client,
    informer: nodes,
    sightings,
    queue,
    events,
    effects,
    clock: foundation.clock,
    provider: cloud.provider.name,
  });
  const recovery = createRecovery({ queue, clock: foundation.clock });
  const runLog = createRunLog(foundation.log, name, foundation.runNotes);
  const loop = startLoop(parts, {
    ...wish,
    reconciler,
    queue,
    effects,
    recovery,
    runLog,
    ...(ended === undefined ? {} : { ended }),
  });
  const stopFeeding = feed(loop.memories);
  const synced = mirrorsSynced(parts);
  tellPresent(parts, { name, synced, present: present ?? (() => nodes.list().map(nameOf)) });
  return {
    name,
    loop,
    queue,
    events,
    synced,
    isIdle: () => queue.depth + queue.working === 0 && isAsking?.() !== true,
    unseen: () => unseen?.(),
    stop: async (deadlineMs) => {
      stopFeeding();
      recovery.stop();
      await loop.stop(deadlineMs);
      runLog.summarise();
    },
  };
}

/** From so many keys on there is a wave, in which writing to nodes goes before telling of it. */
const BUSY_FROM_KEYS = 16;

function createQueue(
  { foundation }: ControllerParts,
  {
    name: controller,
    backoff = NODE_BACKOFF,
    merge = mostUrgent,
  }: Pick<ControllerWish<never, never, never, never>, "name" | "backoff" | "merge">,
): MeasuredWorkQueue<Trigger> {
  const { clock, random, metrics } = foundation;
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

interface LoopWish<Observed, Typed extends Change, Memory, Answer>
  extends Pick<ControllerWish<Observed, Typed, Memory, Answer>, "concurrency" | "wording"> {
  readonly reconciler: Reconciler<Observed, Typed, Memory, Answer>;
  readonly queue: MeasuredWorkQueue<Trigger>;
  readonly effects: Effects;
  readonly recovery: Recovery;
  readonly runLog: RunLog;
  readonly ended?: (outcome: RunOutcome, memory: Memory) => void;
}

/** Runs a reconciler as a loop whose outcomes are counted, logged and told as Events. */
function startLoop<Observed, Typed extends Change, Memory, Answer>(
  parts: ControllerParts,
  {
    reconciler,
    queue,
    effects,
    recovery,
    runLog,
    concurrency,
    wording,
    ended,
  }: LoopWish<Observed, Typed, Memory, Answer>,
): ControllerLoop<Memory> {
  const { foundation, cloud, recorder, clusterUid } = parts;
  const { clock, random, identity, flags, metrics } = foundation;
  const balancers = cloud.balancers(clusterUid);
  const loop = startControllerLoop({
    reconciler,
    effects,
    queue,
    concurrency,
    recorder,
    clock,
    random,
    identity: { cluster: clusterUid, instance: identity },
    ...(cloud.directory === undefined ? {} : { directory: cloud.directory }),
    ...(balancers === undefined ? {} : { balancers }),
    ...(cloud.routes === undefined ? {} : { routes: cloud.routes }),
    ...(cloud.volumes === undefined ? {} : { volumes: cloud.volumes }),
    dryRun: flags["dry-run"],
    ...(wording === undefined ? {} : { wording }),
    onOutcome: (outcome, memory) => {
      metrics.own.runEnded(outcome);
      runLog.ended(outcome);
      ended?.(outcome, memory);
      recovery.ended(loop.keyOf(outcome.object), outcome);
    },
  });
  return loop;
}
