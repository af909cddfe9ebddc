import type { Lookup } from "@cloudwright/provider-api";
import { createCloudBudget } from "../../../cloud/calls/budget.ts";
import { createCallContexts } from "../../../cloud/calls/call-context.ts";
import { createLoadBalancerDirectory } from "../../../cloud/load-balancers/load-balancer-directory.ts";
import type { InstanceLookups, LoadBalancerDirectory } from "../../../cloud/ports.ts";
import type { Service } from "../../../kube/client.ts";
import type { ObjectAction, RequestedAction } from "../../../model/actions/action.ts";
import type { ObjectRef } from "../../../model/object-ref.ts";
import type { LedgerRecord } from "../../../model/records/record.ts";
import type { Trigger } from "../../../model/run.ts";
import { createManualClock, type ManualClock } from "../../../model/testing/manual-clock.ts";
import { fixed } from "../../../model/values/live-value.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { Effect } from "../../../reconcile/effects.ts";
import type { ControllerLoop, RetryReport, RunOutcome } from "../../../reconcile/loop-port.ts";
import { FakeInformer, node } from "../../testing/node-fixture.ts";
import { readsOnly } from "../../testing/reads-only.ts";
import { ServiceLastSeen } from "../last-seen.ts";
import type { ServiceMemory } from "../memory.ts";
import { serviceModule } from "../module.ts";
import type { ServicePolicy } from "../observed.ts";
import type { OrphanSighting, OrphanSightings } from "../orphans/sightings.ts";
import { createServiceReconciler, type ServiceReconciler } from "../reconciler.ts";
import { backoffOfServices, startServiceController } from "../triggers/feed.ts";
import { closestObservation } from "../triggers/triggers.ts";
import { textOfEvent, textOfMetric } from "./effect-text.ts";
import { FakeServices } from "./fake-services.ts";
import { ScriptedLoadBalancers } from "./scripted-load-balancers.ts";

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

/** Returns a Service of type LoadBalancer like the API server's. */
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
    status: { loadBalancer: shape.ingress === undefined ? {} : { ingress: shape.ingress } },
  };
}

export interface ServiceFixtureOptions {
  readonly nodes?: readonly ReturnType<typeof node>[];
  readonly services?: readonly Service[];
  readonly policy?: Partial<ServicePolicy>;
  /** Fills the cloud before the controller starts. */
  prepare?(loadBalancers: ScriptedLoadBalancers): void;
  readonly dryRun?: boolean;
  /** Whether the provider has instances; true by default. */
  readonly looksUpByName?: boolean;
  /** Whether nodes are looked up by name: `observe` then keeps the cloud's answers for all Services, like the directory. */
  readonly keepsLookups?: boolean;
  /** The previous leader: its clock goes on, and its record of orphans exists. */
  readonly before?: ServiceFixture;
  /** Another controller in the same cluster and cloud. */
  readonly beside?: ServiceFixture;
}

const POLICY: ServicePolicy = {
  graceMs: 0,
  driftPeriodMs: DRIFT_PERIOD_MS,
  classes: [],
  classless: true,
  adopt: "published",
};

/** The service loop as in production, with a fake API server, a cloud in memory and a clock of its own. */
export class ServiceFixture {
  readonly clock: ManualClock;
  readonly balancers: ScriptedLoadBalancers;
  readonly nodes: FakeInformer;
  readonly services: FakeServices;
  readonly events: string[] = [];
  readonly records: LedgerRecord[] = [];
  readonly outcomes: RunOutcome[] = [];
  readonly metrics: string[] = [];
  readonly lastSeen: ServiceLastSeen;
  /** The cloud's answers for nodes without a provider ID. */
  readonly instances = new Map<string, Lookup>();
  /** The record of orphans for the next leader. */
  sightings: readonly OrphanSighting[];
  readonly loop: ControllerLoop<ServiceMemory>;
  readonly stopFeeding: () => void;

  constructor(options: ServiceFixtureOptions = {}) {
    const { before, beside } = options;
    this.clock = (before ?? beside)?.clock ?? createManualClock();
    this.balancers = beside?.balancers ?? new ScriptedLoadBalancers();
    const { clock, balancers: loadBalancers } = this;
    this.nodes =
      beside?.nodes ??
      new FakeInformer(...(options.nodes ?? [node({ name: "n1", providerID: "p://n1" })]));
    this.services = beside?.services ?? new FakeServices(...(options.services ?? []));
    this.sightings = before?.sightings ?? [];
    options.prepare?.(loadBalancers);
    const policy: ServicePolicy = { ...POLICY, ...options.policy };
    const { keepsLookups = false } = options;
    const effects = {
      emit: (effect: Effect) => {
        if (effect.kind === "event") this.events.push(textOfEvent(effect));
        if (effect.kind === "metric") this.metrics.push(...textOfMetric(effect));
      },
    };
    this.lastSeen = new ServiceLastSeen({ sightings: this.#sightings(), clock, effects });
    const { lastSeen } = this;
    const directory = directoryOf(loadBalancers, clock);
    const reconciler = this.#reconciler(options, policy, directory);
    const queue = createWorkQueue<Trigger>({
      name: "service",
      clock,
      backoff: backoffOfServices(this.services),
      merge: closestObservation,
    });
    this.loop = startControllerLoop({
      controller: serviceModule,
      reconciler: keepsLookups ? reconciler : readsOnly(reconciler),
      effects,
      queue,
      concurrency: 4,
      recorder: { append: (record) => void this.records.push(JSON.parse(JSON.stringify(record))) },
      clock,
      random: () => 0.5,
      identity: { cluster: "cluster-1", instance: "host_1" },
      dryRun: options.dryRun ?? false,
      onOutcome: (outcome, memory) => {
        this.outcomes.push(outcome);
        lastSeen.ended(outcome, memory);
      },
    });
    const quiet = { startedAt: 0, step: () => undefined };
    this.stopFeeding = startServiceController({
      services: this.services,
      nodes: this.nodes,
      queue,
      reconciler,
      lastSeen,
      memoryStore: this.loop.memoryStore,
      cluster: CLUSTER,
      ...{ policy, period: fixed(policy.driftPeriodMs) },
      abilities: loadBalancers.abilities,
      clock,
      owned: (signal) => directory.for({ ...quiet, signal }).owned("refresh"),
      onError: (error) => void this.metrics.push(`listing failed: ${String(error)}`),
    });
  }

  /** Returns what was done since the previous call, in words. */
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

  async ask(action: ObjectAction, object: ObjectRef = refOfService("web")): Promise<RetryReport> {
    const requested: RequestedAction<ObjectAction> = {
      action,
      intentId: "i-1",
      by: "Ada",
      why: "INC-88",
    };
    const key = this.loop.keyOf(object);
    const report = this.loop.retry(key, { intentId: "i-1", actor: "Ada", requested });
    await this.settle(1_000);
    return report;
  }

  async stop(): Promise<void> {
    this.stopFeeding();
    const stopped = this.loop.stop(0);
    await this.clock.advance(5_000);
    await stopped;
  }

  #reconciler(
    { looksUpByName = true }: ServiceFixtureOptions,
    policy: ServicePolicy,
    directory: LoadBalancerDirectory,
  ): ServiceReconciler {
    const lookup: InstanceLookups["lookup"] = async ({ nodeName }) =>
      this.instances.get(nodeName) ?? { kind: "unclaimed" };
    return createServiceReconciler({
      client: this.services.client,
      services: this.services,
      nodes: this.nodes,
      lastSeen: this.lastSeen,
      clock: this.clock,
      cluster: CLUSTER,
      policy,
      provider: "p",
      loadBalancers: this.balancers,
      directory,
      instances: looksUpByName ? { for: () => ({ lookup }) } : undefined,
    });
  }

  #sightings(): OrphanSightings {
    const fixture = this;
    return {
      get known() {
        return fixture.sightings;
      },
      keep: (sightings) => {
        fixture.sightings = sightings;
      },
    };
  }
}

export const CLUSTER = {
  clusterUid: "cluster-1",
  clusterName: "kubernetes",
  annotationPrefixes: ["p.example/"],
} as const;

function refOfService(name: string) {
  return { kind: "Service", namespace: "shop", name } as const;
}

function directoryOf(
  loadBalancers: ScriptedLoadBalancers,
  clock: ManualClock,
): LoadBalancerDirectory {
  const budget = createCloudBudget({ provider: "p", clock });
  const contexts = createCallContexts({ provider: "p", clock, budget, fence: () => true });
  const { clusterUid } = CLUSTER;
  return createLoadBalancerDirectory({ loadBalancers, contexts, clock, clusterUid });
}
