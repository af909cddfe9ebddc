import type { InstanceRef, IpFamily, Lookup } from "@cloudwright/provider-api";
import { createCloudBudget } from "../../../cloud/calls/budget.ts";
import { createCallContexts } from "../../../cloud/calls/call-context.ts";
import type { RouteDirectory } from "../../../cloud/ports.ts";
import { createRouteDirectory } from "../../../cloud/routes/route-directory.ts";
import type { KubeClient, KubeObject, Node, Patch, Target } from "../../../kube/client.ts";
import type { RequestedAction } from "../../../model/actions/action.ts";
import type { ObjectRef } from "../../../model/object-ref.ts";
import type { LedgerRecord } from "../../../model/records/record.ts";
import type { Trigger } from "../../../model/run.ts";
import { createManualClock, type ManualClock } from "../../../model/testing/manual-clock.ts";
import { type Settable, settable } from "../../../model/testing/settable.ts";
import { ROUTE_BACKOFF } from "../../../queue/backoff.ts";
import { createWorkQueue } from "../../../queue/work-queue.ts";
import { startControllerLoop } from "../../../reconcile/controller-loop.ts";
import type { Effect } from "../../../reconcile/effects.ts";
import type { ControllerLoop, RetryReport, RunOutcome } from "../../../reconcile/loop-port.ts";
import { mostUrgent } from "../../../reconcile/triggers.ts";
import { watchNodes } from "../../objects/node-sightings.ts";
import { RoutesUnderWay } from "../../objects/routes-under-way.ts";
import { FakeInformer, found } from "../../testing/node-fixture.ts";
import { readsOnly } from "../../testing/reads-only.ts";
import { wordingOfRoutes } from "../conclude.ts";
import { startRouteController } from "../feed.ts";
import type { RouteMemory } from "../memory.ts";
import { routeModule } from "../module.ts";
import type { RoutePolicy } from "../observed.ts";
import { createRouteReconciler } from "../reconciler.ts";
import { CLUSTER_UID, ScriptedRoutes } from "./scripted-routes.ts";

export const PERIOD_MS = 10_000;

export interface RoutesFixtureOptions {
  readonly nodes?: readonly Node[];
  readonly policy?: Partial<RoutePolicy>;
  /** The families that routes support; both by default. */
  readonly families?: readonly IpFamily[];
  /** Whether routes carry marks; true by default. */
  readonly storesOwner?: boolean;
  /** Fills the cloud before the controller starts. */
  prepare?(routes: ScriptedRoutes): void;
  readonly dryRun?: boolean;
  readonly periodMs?: number;
}

const POLICY: RoutePolicy = {
  condition: "overwrite",
  ranges: ["10.0.0.0/16", "fd00::/48"],
  adopt: "published",
};

/** The route loop as in production, with a fake API server, a route table in memory and a clock of its own. */
export class RoutesFixture {
  readonly clock: ManualClock = createManualClock();
  readonly routes: ScriptedRoutes;
  readonly nodes: FakeInformer;
  readonly conditions: string[] = [];
  readonly records: LedgerRecord[] = [];
  readonly outcomes: RunOutcome[] = [];
  readonly reported: string[] = [];
  readonly metrics: string[] = [];
  /** Provider IDs of machines that the cloud no longer has, and those that were looked up. */
  readonly goneMachines: Set<string> = new Set();
  readonly lookups: string[] = [];
  readonly underWay: RoutesUnderWay = new RoutesUnderWay(this.clock);
  readonly loop: ControllerLoop<RouteMemory>;
  readonly period: Settable<number>;
  readonly stopFeeding: () => void;

  constructor(options: RoutesFixtureOptions = {}) {
    this.routes = new ScriptedRoutes(options.storesOwner);
    const { clock, routes, metrics } = this;
    this.period = settable(options.periodMs ?? PERIOD_MS);
    this.nodes = new FakeInformer(...(options.nodes ?? []));
    options.prepare?.(routes);
    const policy: RoutePolicy = { ...POLICY, ...options.policy };
    const effects = { emit: (effect: Effect) => void metrics.push(...textOfSync(effect)) };
    const directory = directoryOf(routes, clock);
    const reconciler = createRouteReconciler({
      client: { patch: (target, patch) => this.#patch(target, patch) } as Pick<KubeClient, "patch">,
      informer: this.nodes,
      sightings: watchNodes(this.nodes, clock),
      effects,
      cluster: { clusterUid: CLUSTER_UID, clusterName: "kubernetes" },
      provider: "p",
      families: options.families ?? ["IPv4", "IPv6"],
      storesOwner: this.routes.abilities.storesOwner,
      routes: directory,
      instances: { for: () => ({ lookup: (ref) => this.#lookUp(ref) }) },
      policy,
    });
    const queue = createWorkQueue<Trigger>({
      name: "routes",
      clock,
      random: () => 0.5,
      backoff: ROUTE_BACKOFF,
      merge: mostUrgent,
    });
    this.loop = startControllerLoop({
      controller: routeModule,
      reconciler: readsOnly(reconciler),
      effects,
      queue,
      concurrency: 200,
      recorder: { append: (record) => void this.records.push(JSON.parse(JSON.stringify(record))) },
      clock,
      random: () => 0.5,
      identity: { cluster: CLUSTER_UID, instance: "host_1" },
      dryRun: options.dryRun ?? false,
      onOutcome: (outcome, memory) => {
        this.outcomes.push(outcome);
        reconciler.lastSeen.ended(outcome, memory);
        if (outcome.object.kind === "Node") this.underWay.end(outcome.object.name);
        const words = wordingOfRoutes(outcome, memory);
        if (words !== undefined) this.reported.push(`${outcome.object.name} ${words.message}`);
      },
    });
    this.stopFeeding = startRouteController({
      informer: this.nodes,
      queue,
      reconciler,
      memoryStore: this.loop.memoryStore,
      effects,
      found: () => undefined,
      clock,
      provider: "p",
      policy,
      underWay: this.underWay,
      period: this.period,
      list: (signal) =>
        directory
          .for({ startedAt: 0, step: () => undefined, signal })
          .list({ maxAgeMs: 0, priority: "refresh" }),
      onError: (error) => void metrics.push(`listing failed: ${String(error)}`),
    });
  }

  /** Returns what was called and written since the previous call; listings are only counted. */
  take() {
    const calls = this.routes.calls.splice(0);
    return {
      calls: calls.filter((call) => call !== "GET routes"),
      listings: calls.filter((call) => call === "GET routes").length,
      conditions: this.conditions.splice(0),
    };
  }

  /** Lets everything that is due now happen. */
  async settle(ms = 50): Promise<this> {
    await this.clock.advance(ms);
    return this;
  }

  /** Advances the clock by this many periods. */
  async periods(count = 1): Promise<this> {
    for (let each = 0; each < count; each++) await this.clock.advance(PERIOD_MS);
    return this;
  }

  /** The newest state of an object. */
  state(name: string) {
    return this.records.findLast((record) => record.type === "state" && record.name === name) as
      | Extract<LedgerRecord, { type: "state" }>
      | undefined;
  }

  async retry(object: ObjectRef): Promise<RetryReport> {
    const requested: RequestedAction<{ readonly kind: "retry" }> = {
      action: { kind: "retry" },
      intentId: "i-1",
      by: "Ada",
      why: "INC-88",
    };
    const request = { intentId: "i-1", actor: "Ada", requested };
    const report = this.loop.retry(this.loop.keyOf(object), request);
    await this.settle(1_000);
    return report;
  }

  async stop(): Promise<void> {
    this.stopFeeding();
    const stopped = this.loop.stop(0);
    await this.clock.advance(5_000);
    await stopped;
  }

  #lookUp({ providerID = "" }: InstanceRef): Promise<Lookup> {
    this.lookups.push(providerID);
    const isGone = this.goneMachines.has(providerID);
    return Promise.resolve(
      isGone ? { kind: "notListed", requestId: "q-1" } : found({ providerID }),
    );
  }

  /** Works like the API server: only the named condition changes. */
  #patch<T extends KubeObject>({ name = "" }: Target, { body }: Patch): Promise<T> {
    const { status } = body as unknown as { status: { conditions: readonly Condition[] } };
    const node = this.nodes.get(name);
    const [condition] = status.conditions;
    if (node === undefined || condition === undefined) throw new Error(`There is no node ${name}.`);
    this.conditions.push(`${name} ${condition.status}/${condition.reason}`);
    const others = (node.status?.conditions ?? []).filter(({ type }) => type !== condition.type);
    const version = String(Number(node.metadata?.resourceVersion) + 1);
    const written: Node = {
      ...node,
      metadata: { ...node.metadata, resourceVersion: version },
      status: { ...node.status, conditions: [...others, condition] },
    };
    this.nodes.put(written);
    return Promise.resolve(written as unknown as T);
  }
}

function directoryOf(routes: ScriptedRoutes, clock: ManualClock): RouteDirectory {
  const budget = createCloudBudget({ provider: "p", clock });
  const contexts = createCallContexts({ provider: "p", clock, budget, fence: () => true });
  return createRouteDirectory({ routes, contexts, clock });
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function textOfSync(effect: Effect): readonly string[] {
  if (effect.kind !== "metric" || effect.name !== "route_controller_route_sync_total") return [];
  return [`${effect.labels?.trigger} ${effect.labels?.outcome}`];
}
