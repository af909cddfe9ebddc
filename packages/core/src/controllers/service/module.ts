import type { LoadBalancerAbilities } from "@cloudwright/provider-api";
import { SERVICES, type Service } from "../../kube/client.ts";
import { stripService } from "../../kube/informer/strip.ts";
import type { LiveValue } from "../../model/values/live-value.ts";
import { messageOf } from "../../model/values/message-of.ts";
import { DEFAULT_RUN_TIMEOUT_MS, type RunOutcome } from "../../reconcile/loop-port.ts";
import type { ReadMemoryStore } from "../../reconcile/memory-store.ts";
import {
  type ControllerModule,
  type ModuleContext,
  offered,
  SharedListing,
  type Watch,
} from "../controller-module.ts";
import { purposeOf } from "./desired/purpose.ts";
import { failedToSync } from "./events.ts";
import { ServiceLastSeen } from "./last-seen.ts";
import type { ServiceMemory } from "./memory.ts";
import { SERVICE_METRICS } from "./metrics.ts";
import type { ServicePolicy } from "./observed.ts";
import { SERVICE_INDEXES } from "./orphans/observe.ts";
import { createOrphanSightings, SIGHTINGS_KEY } from "./orphans/sightings.ts";
import { createServiceReconciler } from "./reconciler.ts";
import { keyOf } from "./service-object.ts";
import { backoffOfServices, startServiceController } from "./triggers/feed.ts";
import { closestObservation } from "./triggers/triggers.ts";

interface Flags {
  readonly "cluster-name": string;
  readonly "concurrent-service-syncs": number;
  readonly "orphan-grace": number;
  readonly "load-balancer-class": ServicePolicy["classes"];
  readonly "load-balancer-classless": boolean;
  readonly adopt: ServicePolicy["adopt"];
  readonly "adopt-consent": ReadonlyMap<string, string>;
}

/** Heartbeats count these objects, too. */
export const SERVICE_WATCH: Watch<Service> = {
  resource: SERVICES,
  indexes: SERVICE_INDEXES,
  strip: stripService,
};

/** Counted once a leader knows them. */
export const ORPHANS = {
  name: "cloudwright_orphaned_load_balancers",
  help: "Load balancers of this cluster without a Service.",
};

/** As each Service's last run has seen them. */
const MEMBERS = {
  name: "cloudwright_load_balancer_members",
  help: "Members of a Service's load balancer by their health, in the cloud's words; absent where the cloud does not report it.",
  labels: ["service", "health"],
};

/** Gives Services their load balancers (spec/30). */
export const serviceModule: ControllerModule<Flags> = {
  name: "service-lb-controller",
  needs: { ofProvider: "loadBalancers", ownsByCluster: true },
  watches: [SERVICE_WATCH],
  permissions: {
    part: "service",
    work: [
      {
        group: "",
        resource: "services/status",
        verbs: ["patch"],
        without: "no Service gets a finalizer or an address",
      },
    ],
    cache: {
      of: "Services",
      grants: [
        {
          group: "",
          resource: "services",
          verbs: ["list", "watch"],
          without: "no Service gets a load balancer",
        },
      ],
    },
  },
  metrics: SERVICE_METRICS,
  gauges: [ORPHANS, MEMBERS],
  followUps: {
    "node.initialise": "nodes initialised as members",
    "node.delete": "removal of the deleted nodes as members",
    "balancer.create": "addresses of new load balancers",
  },
  followsItself: true,
  migratesAs: "service-controller",
  start: (context, run) => {
    const { flags, clock, log, clusterUid, cloud, provider, controls, instruments } = context;
    const loadBalancers = offered(provider.loadBalancers, "loadBalancers");
    const directory = offered(cloud.loadBalancers, "loadBalancers");
    const services = context.informerOf(SERVICE_WATCH);
    const { annotationPrefixes } = loadBalancers.abilities;
    const cluster = { clusterUid, clusterName: flags["cluster-name"], annotationPrefixes };
    const period = controls.settings.of("load-balancer-drift-period");
    const policy = policyOf(flags, period);
    const isOfThisLoop = (service: Service) =>
      purposeOf(service, { ...policy, mayHaveLoadBalancer: false }).kind !== "leave";
    const { list, isRequesting, unseen } = new SharedListing("the load balancers", (signal) =>
      directory.for({ startedAt: clock.now(), signal, step: () => undefined }).owned("refresh"),
    );
    const sightings = createOrphanSightings(controls.text(SIGHTINGS_KEY), (problem) =>
      log.warn({ problem }, "The control record has a problem"),
    );
    return run({
      ...changesAtOnce(context, loadBalancers.abilities),
      ...runTimeoutOf(loadBalancers.abilities),
      backoff: backoffOfServices(services),
      merge: closestObservation,
      wording: textOfFailure,
      build: ({ informer: nodes, ...means }) => {
        const lastSeen = new ServiceLastSeen({ ...means, sightings });
        const { orphans } = lastSeen;
        const shared = { ...means, nodes, services, lastSeen, cluster, policy, period };
        const reconciler = createServiceReconciler({
          ...shared,
          loadBalancers,
          directory,
          instances: cloud.instances,
        });
        instruments.gauge(ORPHANS, () => [{ value: orphans.count }]);
        instruments.gauge(MEMBERS, () => lastSeen.health.gauges);
        const feed = (memoryStore: ReadMemoryStore<ServiceMemory>) =>
          startServiceController({
            ...shared,
            reconciler,
            memoryStore,
            abilities: loadBalancers.abilities,
            owned: list,
            onListed: once(() => context.notePresent("LoadBalancer", orphans.ids)),
            onError: (error) =>
              log.warn({ error: messageOf(error) }, "The load balancers could not be listed"),
          });
        const present = () => services.list().filter(isOfThisLoop).map(keyOf);
        const ended = lastSeen.ended.bind(lastSeen);
        return { reconciler, feed, ended, isRequesting, unseen, present };
      },
    });
  },
};

/**
 * Returns how many Services may be changed at the same time: at most what the provider allows, unless the operator sets
 * another limit.
 */
export function changesAtOnce(
  {
    flags,
    isGiven,
  }: Pick<ModuleContext<Flags>, "isGiven"> & {
    readonly flags: Pick<Flags, "concurrent-service-syncs">;
  },
  { changesAtOnce: borne }: Pick<LoadBalancerAbilities, "changesAtOnce">,
): { readonly concurrency: number; readonly isConcurrencyStrict: boolean } {
  const flag = flags["concurrent-service-syncs"];
  if (borne === undefined) return { concurrency: flag, isConcurrencyStrict: false };
  const concurrency = isGiven("concurrent-service-syncs") ? flag : Math.min(flag, borne);
  return { concurrency, isConcurrencyStrict: true };
}

/** A run waits for others' changes and makes one of its own; the rest takes no longer than in any run. */
function runTimeoutOf({ changeTimeoutMs }: Pick<LoadBalancerAbilities, "changeTimeoutMs">): {
  readonly runTimeoutMs?: number;
} {
  return changeTimeoutMs === undefined
    ? {}
    : { runTimeoutMs: DEFAULT_RUN_TIMEOUT_MS + changeTimeoutMs };
}

function policyOf(flags: Flags, period: LiveValue<number>): ServicePolicy {
  return {
    get driftPeriodMs() {
      return period.value;
    },
    graceMs: flags["orphan-grace"],
    classes: flags["load-balancer-class"],
    classless: flags["load-balancer-classless"],
    adopt: flags.adopt,
    consents: flags["adopt-consent"],
  };
}

/** Orphans that disappeared while no controller ran are missing from the first listing. */
function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

const FAILED: ReadonlySet<RunOutcome["outcome"]> = new Set(["failed", "timedOut", "blocked"]);

function textOfFailure({ outcome, reason, object }: RunOutcome) {
  if (!FAILED.has(outcome) || object.kind !== "Service") return undefined;
  return failedToSync(reason);
}
