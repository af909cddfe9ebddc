import { createCloudBudget } from "../../../cloud/calls/budget.ts";
import { createCallContexts } from "../../../cloud/calls/call-context.ts";
import { createLoadBalancerDirectory } from "../../../cloud/load-balancers/load-balancer-directory.ts";
import { SERVICES, type Service } from "../../../kube/client.ts";
import { startInformer } from "../../../kube/informer/informer.ts";
import type { Informer } from "../../../kube/informer/informer-port.ts";
import { stripService } from "../../../kube/informer/strip.ts";
import { systemClock, systemRandom } from "../../../kube/system-clock.ts";
import type { ObjectAction } from "../../../model/actions/action.ts";
import type { Pause } from "../../../model/controls.ts";
import { objectName } from "../../../model/object-ref.ts";
import type { Trigger } from "../../../model/run.ts";
import { fixed } from "../../../model/values/live-value.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { Effects } from "../../../reconcile/effects.ts";
import type { RetryReport, RunOutcome } from "../../../reconcile/loop-port.ts";
import type { RealCluster } from "../../testing/real-cluster.ts";
import { ServiceLastSeen } from "../last-seen.ts";
import { serviceModule } from "../module.ts";
import { SERVICE_INDEXES } from "../orphans/observe.ts";
import { createServiceReconciler, type ServiceReconcilerOptions } from "../reconciler.ts";
import { startServiceController } from "../triggers/feed.ts";
import { closestObservation } from "../triggers/triggers.ts";
import { ScriptedLoadBalancers } from "./scripted-load-balancers.ts";
import { CLUSTER, DRIFT_PERIOD_MS } from "./service-fixture.ts";

/** The service loop as in production, on a real API server and a cloud in memory. */
export interface RealServiceLoop {
  /** Returns the names of the Services that have something in the cloud. */
  inCloud(): readonly string[];
  events(): readonly string[];
  outcome(name: string, namespace?: string): RunOutcome | undefined;
  ask(name: string, action: ObjectAction): Promise<RetryReport>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const PROVIDER = "p";

export async function startRealServiceLoop(cluster: RealCluster): Promise<RealServiceLoop> {
  const loadBalancers = new ScriptedLoadBalancers();
  const events: string[] = [];
  const outcomes = new Map<string, RunOutcome>();
  const ends = new AbortController();
  const services = startInformerOf(cluster, ends.signal);
  await services.synced;
  const queue = createWorkQueue<Trigger>({
    name: "service",
    clock: systemClock,
    backoff: { baseMs: 50, maxMs: 1_000 },
    merge: closestObservation,
  });
  const directory = directoryOf(loadBalancers);
  const effects: Effects = {
    emit: (effect) => {
      if (effect.kind !== "event") return;
      const { namespace, name } = effect.target;
      events.push(`${namespace}/${name} ${effect.event.reason}`);
    },
  };
  const sightings = { known: [], keep: () => undefined };
  const lastSeen = new ServiceLastSeen({ sightings, clock: systemClock, effects });
  const reconciler = reconcilerOf(cluster, { services, loadBalancers, directory, lastSeen });
  const loop = startControllerLoop({
    controller: serviceModule,
    reconciler,
    effects,
    queue,
    concurrency: 4,
    recorder: { append: () => undefined },
    clock: systemClock,
    random: systemRandom,
    identity: { cluster: "cluster-1", instance: "host_1" },
    onOutcome: (outcome, memory) => {
      outcomes.set(objectName(outcome.object), outcome);
      lastSeen.ended(outcome, memory);
    },
  });
  const stopFeeding = startServiceController({
    services,
    nodes: cluster.nodes,
    queue,
    reconciler,
    lastSeen,
    memoryStore: loop.memoryStore,
    cluster: CLUSTER,
    ...{ policy: POLICY, period: fixed(POLICY.driftPeriodMs) },
    abilities: loadBalancers.abilities,
    clock: systemClock,
    owned: (signal) =>
      directory.for({ startedAt: 0, step: () => undefined, signal }).owned("refresh"),
    onError: (error) => void events.push(String(error)),
  });
  return {
    inCloud: () => [...loadBalancers.cloud.values()].map(({ owner }) => owner.name),
    events: () => events,
    outcome: (name, namespace = "shop") => outcomes.get(`${namespace}/${name}`),
    ask: (name, action) => {
      const requested = { action, intentId: "i-1", by: "Ada", why: "INC-88" };
      return loop.retry(`shop/${name}`, { intentId: "i-1", actor: "Ada", requested });
    },
    pause: () => void loop.pause(PAUSE),
    resume: () => loop.resume(),
    stop: async () => {
      stopFeeding();
      await loop.stop(5_000);
      ends.abort();
    },
  };
}

/** The class served in addition to Services without a class. */
export const SERVED_CLASS = "example.org/ours";
const POLICY = {
  graceMs: 0,
  driftPeriodMs: DRIFT_PERIOD_MS,
  classes: [SERVED_CLASS],
  classless: true,
  adopt: "published" as const,
};

type Parts = Pick<
  ServiceReconcilerOptions,
  "services" | "loadBalancers" | "directory" | "lastSeen"
>;

function reconcilerOf({ client, nodes }: RealCluster, parts: Parts) {
  return createServiceReconciler({
    ...{ ...parts, client, nodes },
    clock: systemClock,
    cluster: CLUSTER,
    policy: POLICY,
    provider: PROVIDER,
    instances: undefined,
  });
}

const PAUSE: Pause = {
  controller: "service-lb-controller",
  by: "Ada",
  why: "test",
  at: 0,
  until: Number.MAX_SAFE_INTEGER,
  intentId: "i-0",
};

function startInformerOf({ client }: RealCluster, signal: AbortSignal): Informer<Service> {
  return startInformer<Service>({
    client,
    resource: SERVICES,
    indexes: SERVICE_INDEXES,
    strip: stripService,
    clock: systemClock,
    random: systemRandom,
    signal,
  });
}

function directoryOf(loadBalancers: ScriptedLoadBalancers) {
  const budget = createCloudBudget({ provider: PROVIDER, clock: systemClock });
  const contexts = createCallContexts({
    provider: PROVIDER,
    clock: systemClock,
    budget,
    fence: () => true,
  });
  const { clusterUid } = CLUSTER;
  return createLoadBalancerDirectory({ loadBalancers, contexts, clock: systemClock, clusterUid });
}
