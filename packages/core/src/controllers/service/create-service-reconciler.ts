import type { LoadBalancers } from "@cloudwright/provider-api";
import type { KubeClient, Node, Service } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { stripService } from "../../kube/informer/strip.ts";
import { objectName } from "../../model/object-ref.ts";
import type { Plan } from "../../model/plan.ts";
import { factsOf } from "../../model/reason.ts";
import type { Clock } from "../../model/time.ts";
import type { ApplyResult, OldReconciler } from "../../reconcile/old-reconciler.ts";
import type { OrphanSightings } from "../../reconcile/orphan-sightings.ts";
import type { Projection } from "../../reconcile/reconciler.ts";
import type { Events } from "../objects/node-events.ts";
import { uidOf } from "../objects/object-meta.ts";
import { createObjectView, type ObjectView } from "../objects/written-objects.ts";
import { applyToService, type ClusterChange } from "./apply.ts";
import { applyToCloud } from "./apply-to-cloud.ts";
import { isCloudWrite, type ServiceChange } from "./changes.ts";
import { ClusterMembers } from "./members/cluster-members.ts";
import { NodeSyncs, type NodeWave } from "./members/node-wave.ts";
import { observeService } from "./observe.ts";
import { observeOrphan } from "./observe-orphan.ts";
import type { Observed, ServiceObserved, ServicePolicy } from "./observed.ts";
import { Orphans, orphanIdOf, orphanKey, orphanRef } from "./orphans.ts";
import { planServiceLoop } from "./plan.ts";
import { projectOrphan, projectService } from "./project.ts";
import { eventOfLeft, eventOfWish, eventTarget, SERVICE_EVENTS } from "./service-events.ts";
import { ServiceMemories, type ServiceMemory, type Trouble } from "./service-memory.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import { type ClusterIdentity, keyOf, refOf, refOfKey } from "./service-object.ts";

export interface ServiceReconcilerOptions {
  readonly client: Pick<KubeClient, "patch">;
  /** Declared with `SERVICE_INDEXES`. */
  readonly services: Pick<Informer<Service>, "get" | "byIndex">;
  readonly nodes: Pick<Informer<Node>, "list" | "subscribe">;
  readonly events: Events;
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly cluster: ClusterIdentity;
  readonly policy: ServicePolicy;
  /** The provider's name: the scheme of its provider IDs. */
  readonly provider: string;
  readonly loadBalancers: LoadBalancers;
  /** Whether the provider offers instances, so that nodes without a provider ID can be looked up. */
  readonly looksUpByName: boolean;
  /** Since when earlier leaders have seen balancers without a Service. */
  readonly sightings: OrphanSightings;
}

/** What feeds the loop's queue shares with the reconciler. */
export interface ServiceKnowledge {
  readonly memories: ServiceMemories;
  readonly orphans: Orphans;
  readonly syncs: NodeSyncs;
  readonly wave: NodeWave;
}

export interface ServiceReconciler extends OldReconciler<Observed, ServiceChange> {
  readonly knowledge: ServiceKnowledge;
  /** Ends what it listens to. */
  stop(): void;
}

/** Gives each Service of type LoadBalancer its balancer, keeps it in step and removes it again (spec/30). */
export function createServiceReconciler(options: ServiceReconcilerOptions): ServiceReconciler {
  const { services, nodes, provider, clock, metrics, events, looksUpByName } = options;
  const knowledge: ServiceKnowledge = {
    memories: new ServiceMemories(),
    orphans: new Orphans(options.sightings),
    syncs: new NodeSyncs(clock, (seconds) => metrics.observeNodeSync(seconds)),
    wave: { isGathering: false },
  };
  const view = createObjectView<Service>({
    informer: services,
    keyOf,
    refOf,
    unknown: refOfKey,
    strip: stripService,
  });
  const members = new ClusterMembers({ informer: nodes, provider, clock, looksUpByName });
  const ports: Ports = {
    ...options,
    ...knowledge,
    view,
    members,
    onCleared: ({ object }, left) =>
      events.event(
        eventTarget(object),
        left === undefined ? SERVICE_EVENTS.deleted : eventOfLeft(left),
      ),
  };

  return {
    controller: "service-lb-controller",
    knowledge,
    stop: () => members.stop(),
    object: (key) => {
      const id = orphanIdOf(key);
      return id === undefined ? view.object(key) : orphanRef(id);
    },
    keyOf: (object) =>
      object.kind === "LoadBalancer" ? orphanKey(object.name) : objectName(object),
    observe: async (key, run) => {
      const id = orphanIdOf(key);
      if (id !== undefined) return observeOrphan(ports, id, run);
      const observed = await observeService(ports, key, run);
      if (observed === undefined) knowledge.syncs.ended(key);
      return observed;
    },
    plan: planServiceLoop,
    isInBulk: ({ changes }) => changes.every(({ kind }) => kind === "balancer.members"),
    apply: async (change, observed, run) => {
      if (!isCloudWrite(change)) {
        await applyToCluster(ports, { change, observed }, run);
        return;
      }
      if (observed.kind === "orphan")
        knowledge.orphans.beginRemoval(observed.orphan.owned.facts.id);
      await applyToCloud(ports, { change, observed }, run);
    },
    project: (observed, plan, result) =>
      observed.kind === "orphan"
        ? projectOrphan(observed)
        : conclude(ports, { observed, plan, result }),
  };
}

interface Ports extends ServiceReconcilerOptions, ServiceKnowledge {
  readonly view: ObjectView<Service>;
  readonly members: ClusterMembers;
  onCleared: Parameters<typeof observeService>[0]["onCleared"];
}

/** Writes to the newest view of the Service that was planned for, and reports it. */
async function applyToCluster(
  { client, view, memories, events }: Ports,
  { change, observed }: { readonly change: ClusterChange; readonly observed: Observed },
  run: Parameters<typeof applyToService>[2],
): Promise<void> {
  if (observed.kind === "orphan" || observed.service === undefined) return;
  const service = newest(view, observed.service);
  const isLast = change.kind === "service.finalizer.remove";
  // Before the write, as the news of the deletion may come before its answer.
  if (isLast) memories.done(uidOf(service));
  try {
    const written = await applyToService(client, { change, service }, run);
    if (written !== undefined) view.wrote(written);
  } catch (error) {
    if (isLast) memories.undone(uidOf(service));
    throw error;
  }
  const event = isLast ? SERVICE_EVENTS.deleted : eventOfWish(change);
  if (event !== undefined) events.event(eventTarget(observed.object), event);
}

function newest(view: ObjectView<Service>, service: Service): Service {
  const known = view.get(keyOf(service));
  return known !== undefined && uidOf(known) === uidOf(service) ? known : service;
}

interface Concluded {
  readonly observed: ServiceObserved;
  readonly plan: Plan<ServiceChange>;
  readonly result: ApplyResult;
}

/** The end of a run: what was learnt of the Service, what is reported of it, and what the pages show. */
function conclude(ports: Ports, run: Concluded): Projection {
  const { memories, view, syncs, loadBalancers } = ports;
  const { observed, plan, result } = run;
  syncs.ended(observed.key);
  const { service: before, object } = observed;
  const name = objectName(object);
  if (before === undefined) return { name, uid: object.uid ?? "", drift: "notChecked" };
  const service = newest(view, before);
  const memory = memories.of(uidOf(service));
  memory.trouble = troubleAfter(memory, run);
  if (result.applied === plan.changes.length) settle(ports, run);
  const shown = projectService({
    observed,
    plan,
    result,
    service,
    ignored: loadBalancers.abilities.ignoredFields,
    lookedAt: memory.lookedAt,
    changedAt: memory.changedAt,
  });
  const detail = shown.detail ?? memory.detail;
  if (detail !== undefined) memory.detail = detail;
  return { name, uid: uidOf(service), ...shown, ...(detail === undefined ? {} : { detail }) };
}

/** What asks for patience has its own time; only failures and what waits for a person are trouble. */
function troubleAfter(
  { trouble, failedCall }: ServiceMemory,
  { plan, result }: Concluded,
): Trouble | undefined {
  const times = (trouble?.times ?? 0) + 1;
  const { kind, reason } = plan.next;
  if (result.applied < plan.changes.length) {
    return { times, reason: failedCall?.runId === result.runId ? failedCall.reason : undefined };
  }
  return kind === "failed" || kind === "blocked" ? { times, reason } : undefined;
}

/** Everything of the plan was applied: reports a series of writes that has come to its end. */
function settle({ memories, events }: Ports, { observed, plan }: Concluded): void {
  const { object, desired } = observed;
  const uid = object.uid ?? "";
  const { code } = plan.next.reason;
  if (code === "ServiceUnwanted" && plan.again === undefined) memories.forget(uid);
  if (factsOf(code).serves === undefined || plan.again === true || desired?.kind !== "spec") return;
  const memory = memories.of(uid);
  const { told } = memory;
  memory.members = desired.spec.members;
  const isWithoutMembers = memory.members.length === 0;
  if (isWithoutMembers && !told.withoutMembers) {
    events.event(eventTarget(object), SERVICE_EVENTS.unavailable);
  }
  told.withoutMembers = isWithoutMembers;
  if (told.ensuring) events.event(eventTarget(object), SERVICE_EVENTS.ensured);
  told.ensuring = false;
}
