import type { LoadBalancers } from "@cloudwright/provider-api";
import type { InstanceDirectory, LoadBalancerDirectory } from "../../cloud/ports.ts";
import type { KubeClient, Node, Service } from "../../kube/client.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { stripService } from "../../kube/informer/strip.ts";
import { objectName } from "../../model/object-ref.ts";
import type { Clock } from "../../model/time.ts";
import type { Reconciler } from "../../reconcile/reconciler.ts";
import { createObjectView } from "../objects/written-objects.ts";
import { applyServiceChange } from "./apply.ts";
import type { ServiceChange } from "./changes.ts";
import { concludeServiceLoop } from "./conclude.ts";
import { announce } from "./events.ts";
import type { ServiceLastSeen } from "./last-seen.ts";
import { ClusterMembers } from "./members/cluster-members.ts";
import { NO_MEMORY, type ServiceMemory } from "./memory.ts";
import { observeService } from "./observe.ts";
import type { Observed, ServicePolicy } from "./observed.ts";
import { observeOrphan } from "./orphans/observe.ts";
import { orphanIdOf, orphanKey, orphanRef } from "./orphans/orphans.ts";
import { planServiceLoop } from "./plan.ts";
import { type ClusterIdentity, keyOf, refOf, refOfKey } from "./service-object.ts";

export interface ServiceReconcilerOptions {
  readonly client: Pick<KubeClient, "patch">;
  /** Must be created with `SERVICE_INDEXES`. */
  readonly services: Pick<Informer<Service>, "get" | "byIndex">;
  readonly nodes: Pick<Informer<Node>, "list" | "subscribe">;
  readonly lastSeen: ServiceLastSeen;
  readonly clock: Clock;
  readonly cluster: ClusterIdentity;
  readonly policy: ServicePolicy;
  /** The provider's name: the scheme of its provider IDs. */
  readonly provider: string;
  readonly loadBalancers: LoadBalancers;
  readonly directory: LoadBalancerDirectory;
  /** Undefined if the provider offers none; otherwise nodes without a provider ID can be looked up. */
  readonly instances: InstanceDirectory | undefined;
}

export interface ServiceReconciler
  extends Reconciler<Observed, ServiceChange, ServiceMemory, Service | undefined> {
  /** Stops following the informers. */
  stop(): void;
}

/**
 * Creates the reconciler that gives each Service of type LoadBalancer its load balancer, keeps it in sync and
 * removes it again (spec/30).
 */
export function createServiceReconciler(options: ServiceReconcilerOptions): ServiceReconciler {
  const { services, nodes, provider, clock, instances, lastSeen, loadBalancers } = options;
  const view = createObjectView<Service>({
    informer: services,
    keyOf,
    refOf,
    unknown: refOfKey,
    strip: stripService,
  });
  const members = new ClusterMembers({
    ...{ informer: nodes, provider, clock, instances },
    readsLabels: loadBalancers.abilities.nodeLabels === true,
  });
  const { departed, released, unwanted, orphans, wave } = lastSeen;
  const ports = { ...options, departed, released, unwanted, orphans, wave, view, members };
  return {
    noMemory: NO_MEMORY,
    stop: () => members.stop(),
    object: (key) => {
      const id = orphanIdOf(key);
      return id === undefined ? view.object(key) : orphanRef(id);
    },
    keyOf: (object) =>
      object.kind === "LoadBalancer" ? orphanKey(object.name) : objectName(object),
    observe: (key, run) => {
      const id = orphanIdOf(key);
      return id === undefined ? observeService(ports, key, run) : observeOrphan(ports, id, run);
    },
    plan: (observed, _memory, nowMs) => planServiceLoop(observed, nowMs),
    isInBulk: ({ changes }) => changes.every(({ kind }) => kind === "balancer.members"),
    announce,
    apply: (change, observed, run) => applyServiceChange(ports, { change, observed }, run),
    conclude: (run) => concludeServiceLoop(run, loadBalancers.abilities),
  };
}
