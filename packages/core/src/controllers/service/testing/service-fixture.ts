import type { Lookup } from "@cloudwright/provider-api";
import { createCloudBudget } from "../../../cloud/calls/budget.ts";
import { createCallContexts } from "../../../cloud/calls/call-context.ts";
import { createBalancerDirectory } from "../../../cloud/load-balancers/balancer-directory.ts";
import type { BalancerDirectory } from "../../../cloud/load-balancers/balancer-port.ts";
import type { Service } from "../../../kube/client.ts";
import type { ObjectRef } from "../../../model/object-ref.ts";
import type { LedgerRecord } from "../../../model/records/record.ts";
import type { Trigger } from "../../../model/run.ts";
import { createManualClock, type ManualClock } from "../../../model/testing/manual-clock.ts";
import type { Asked, ObjectWish } from "../../../model/wish.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { Effect } from "../../../reconcile/effects.ts";
import type { ControllerLoop, RetryReport, RunOutcome } from "../../../reconcile/loop-port.ts";
import type { OrphanSighting, OrphanSightings } from "../../../reconcile/orphan-sightings.ts";
import { FakeInformer, node } from "../../testing/node-fixture.ts";
import { startServiceController } from "../feed.ts";
import { ServiceKnowledge } from "../knowledge.ts";
import type { ServiceMemory } from "../memory.ts";
import type { ServicePolicy } from "../observed.ts";
import { backoffOfServices } from "../purpose.ts";
import { createServiceReconciler, type ServiceReconciler } from "../reconciler.ts";
import { closestLook } from "../triggers.ts";
import { wordsOfEvent, wordsOfMetric } from "./effect-words.ts";
import { FakeServices } from "./fake-services.ts";
import { ScriptedBalancers } from "./scripted-balancers.ts";

export const DRIFT_PERIOD_MS = 300_000;

export interface ServiceShape {
  readonly name?: string;
  readonly uid?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
  readonly spec?: Partial<NonNullable<Service["spec"]>>;
  readonly ingress?: NonNullable<NonNullable<Service["status"]>["loadBalancer"]>["ingress"];
}

/** A Service of type LoadBalancer as the API server would give it. */
export function service(shape: ServiceShape = {}): Service {
  const name = shape.name ?? "web";
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      namespace: "shop",
      name,
      uid: shape.uid ?? `uid-${name}`,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      annotations: { "example.org/some": "thing", ...shape.annotations },
      ...(shape.finalizers === undefined ? {} : { finalizers: shape.finalizers }),
      ...(shape.deletionTimestamp === undefined
        ? {}
        : { deletionTimestamp: shape.deletionTimestamp }),
    },
    spec: {
      type: "LoadBalancer",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      externalTrafficPolicy: "Cluster",
      sessionAffinity: "None",
      ports: [{ port: 80, protocol: "TCP", nodePort: 31_080, targetPort: 80 }],
      ...shape.spec,
    },
    status: {
      loadBalancer: shape.ingress === undefined ? {} : { ingress: shape.ingress },
    },
  };
}

export interface ServiceWorldOptions {
  readonly nodes?: readonly ReturnType<typeof node>[];
  readonly services?: readonly Service[];
  readonly policy?: Partial<ServicePolicy>;
  /** Put into the cloud before the controller starts. */
  prepare?(balancers: ScriptedBalancers): void;
  readonly dryRun?: boolean;
  /** Whether the provider tells of instances; it does unless given. */
  readonly looksUpByName?: boolean;
  /** Who led before: its time goes on, and what it has kept of orphans is there. */
  readonly before?: ServiceWorld;
  /** Another controller of the same cluster and in the same cloud. */
  readonly beside?: ServiceWorld;
}

const POLICY: ServicePolicy = {
  graceMs: 0,
  driftPeriodMs: DRIFT_PERIOD_MS,
  classes: [],
  classless: true,
  adopt: "published",
};

/** The service loop as the product runs it, over a fake API server and a cloud in memory, on a clock of its own. */
export class ServiceWorld {
  readonly clock: ManualClock;
  readonly balancers: ScriptedBalancers;
  readonly nodes: FakeInformer;
  readonly services: FakeServices;
  readonly events: string[] = [];
  readonly records: LedgerRecord[] = [];
  readonly outcomes: RunOutcome[] = [];
  readonly metrics: string[] = [];
  readonly knowledge: ServiceKnowledge;
  /** What the cloud calls nodes that have no provider ID. */
  readonly instances = new Map<string, Lookup>();
  /** What is kept of orphans for the next leader. */
  sightings: readonly OrphanSighting[];
  readonly loop: ControllerLoop<ServiceMemory>;
  readonly stopFeeding: () => void;

  constructor(options: ServiceWorldOptions = {}) {
    const { before, beside } = options;
    this.clock = (before ?? beside)?.clock ?? createManualClock();
    this.balancers = beside?.balancers ?? new ScriptedBalancers();
    const { clock, balancers } = this;
    this.nodes =
      beside?.nodes ??
      new FakeInformer(...(options.nodes ?? [node({ name: "n1", providerID: "p://n1" })]));
    this.services = beside?.services ?? new FakeServices(...(options.services ?? []));
    this.sightings = before?.sightings ?? [];
    options.prepare?.(balancers);
    const policy: ServicePolicy = { ...POLICY, ...options.policy };
    const { looksUpByName = true } = options;
    const effects = {
      emit: (effect: Effect) => {
        if (effect.kind === "event") this.events.push(wordsOfEvent(effect));
        if (effect.kind === "metric") this.metrics.push(...wordsOfMetric(effect));
      },
    };
    this.knowledge = new ServiceKnowledge({ sightings: this.#sightings(), clock, effects });
    const { knowledge } = this;
    const reconciler = this.#reconciler(policy, looksUpByName);
    const queue = createWorkQueue<Trigger>({
      name: "service",
      clock,
      backoff: backoffOfServices(this.services),
      merge: closestLook,
    });
    const directory = directoryOf(balancers, clock);
    this.loop = startControllerLoop({
      reconciler,
      effects,
      queue,
      concurrency: 4,
      recorder: { append: (record) => void this.records.push(JSON.parse(JSON.stringify(record))) },
      clock,
      random: () => 0.5,
      identity: { cluster: "cluster-1", instance: "host_1" },
      directory: {
        for: () => ({
          lookup: async ({ nodeName }) => {
            if (!looksUpByName) throw new Error("This provider tells of no instances.");
            return this.instances.get(nodeName) ?? { kind: "unclaimed" };
          },
        }),
      },
      balancers: directory,
      dryRun: options.dryRun ?? false,
      onOutcome: (outcome, memory) => {
        this.outcomes.push(outcome);
        knowledge.ended(outcome, memory);
      },
    });
    const quiet = { startedAt: 0, step: () => undefined };
    this.stopFeeding = startServiceController({
      services: this.services,
      nodes: this.nodes,
      queue,
      reconciler,
      knowledge,
      memories: this.loop.memories,
      cluster: CLUSTER,
      policy,
      abilities: balancers.abilities,
      clock,
      owned: (signal) => directory.for({ ...quiet, signal }).owned("refresh"),
      onError: (error) => void this.metrics.push(`listing failed: ${String(error)}`),
    });
  }

  /** The words of what was done since the last time that this was asked. */
  take() {
    return {
      calls: this.balancers.calls.splice(0).filter((call) => call !== "LIST"),
      patches: this.services.patches.splice(0),
      events: this.events.splice(0),
    };
  }

  /** Lets everything that is due now happen. */
  async settle(ms = 50): Promise<this> {
    await this.clock.advance(ms);
    return this;
  }

  last(): RunOutcome {
    const outcome = this.outcomes.at(-1);
    if (outcome === undefined) throw new Error("No run has ended yet.");
    return outcome;
  }

  /** The newest state of an object. */
  state(name = "shop/web") {
    return this.records.findLast((record) => record.type === "state" && record.name === name) as
      | Extract<LedgerRecord, { type: "state" }>
      | undefined;
  }

  async ask(wish: ObjectWish, object: ObjectRef = refOfService("web")): Promise<RetryReport> {
    const asked: Asked<ObjectWish> = { wish, intentId: "i-1", by: "Ada", why: "INC-88" };
    const key = this.loop.keyOf(object);
    const report = this.loop.retry(key, { intentId: "i-1", actor: "Ada", asked });
    await this.settle(1_000);
    return report;
  }

  async stop(): Promise<void> {
    this.stopFeeding();
    const stopped = this.loop.stop(0);
    await this.clock.advance(5_000);
    await stopped;
  }

  #reconciler(policy: ServicePolicy, looksUpByName: boolean): ServiceReconciler {
    return createServiceReconciler({
      client: this.services.client,
      services: this.services,
      nodes: this.nodes,
      knowledge: this.knowledge,
      clock: this.clock,
      cluster: CLUSTER,
      policy,
      provider: "p",
      loadBalancers: this.balancers,
      looksUpByName,
    });
  }

  #sightings(): OrphanSightings {
    const world = this;
    return {
      get known() {
        return world.sightings;
      },
      keep: (sightings) => {
        world.sightings = sightings;
      },
    };
  }
}

export const CLUSTER = { clusterUid: "cluster-1", clusterName: "kubernetes" } as const;

export function refOfService(name: string) {
  return { kind: "Service", namespace: "shop", name } as const;
}

function directoryOf(loadBalancers: ScriptedBalancers, clock: ManualClock): BalancerDirectory {
  const budget = createCloudBudget({ provider: "p", clock });
  const contexts = createCallContexts({ provider: "p", clock, budget, fence: () => true });
  const { clusterUid } = CLUSTER;
  return createBalancerDirectory({ loadBalancers, contexts, clock, clusterUid });
}
