import { startServiceController } from "@cloudwright/core/controllers/service/feed";
import { ServiceKnowledge } from "@cloudwright/core/controllers/service/knowledge";
import type { ServiceMemory } from "@cloudwright/core/controllers/service/memory";
import type { ServicePolicy } from "@cloudwright/core/controllers/service/observed";
import type { Orphans } from "@cloudwright/core/controllers/service/orphans/orphans";
import { backoffOfServices, purposeOf } from "@cloudwright/core/controllers/service/purpose";
import { createServiceReconciler } from "@cloudwright/core/controllers/service/reconciler";
import { keyOf } from "@cloudwright/core/controllers/service/service-object";
import { closestLook } from "@cloudwright/core/controllers/service/triggers";
import type { Service } from "@cloudwright/core/kube/client";
import { eventMessage } from "@cloudwright/core/model/sentence";
import type { RunOutcome } from "@cloudwright/core/reconcile/loop-port";
import type { ReadMemories } from "@cloudwright/core/reconcile/memories";
import type { OwnedLoadBalancer } from "@cloudwright/provider-api";
import { messageOf } from "../cluster/connect-cluster.ts";
import { presenceOf } from "./present-objects.ts";
import {
  type ControllerParts,
  type StartedController,
  startController,
} from "./started-controller.ts";

/** Starts the controller that gives Services their load balancers (spec/30). */
export function startService(parts: ControllerParts): StartedController {
  const { foundation, cloud, clusterUid, services, controls } = parts;
  const { flags, log } = foundation;
  const { loadBalancers } = cloud.provider;
  const directory = cloud.balancers(clusterUid);
  if (loadBalancers === undefined || directory === undefined || services === undefined) {
    throw new Error("The provider has no load balancers, but their controller was started.");
  }
  const cluster = { clusterUid, clusterName: flags["cluster-name"] };
  const policy = policyOf(flags);
  const isOfThisLoop = (service: Service) =>
    purposeOf(service, { ...policy, mayHaveBalancer: false }).kind !== "leave";
  let asking = 0;
  let unseen: string | undefined;
  const owned = async (signal: AbortSignal): Promise<readonly OwnedLoadBalancer[]> => {
    const startedAt = foundation.clock.now();
    asking += 1;
    try {
      return await directory.for({ startedAt, signal, step: () => undefined }).owned("refresh");
    } finally {
      asking -= 1;
    }
  };
  return startController(parts, {
    name: "service-lb-controller",
    concurrency: flags["concurrent-service-syncs"],
    backoff: backoffOfServices(services),
    merge: closestLook,
    wording: wordsOfFailure,
    build: ({ informer: nodes, ...means }) => {
      const knowledge = new ServiceKnowledge({ ...means, sightings: controls.orphans });
      const reconciler = createServiceReconciler({
        ...means,
        nodes,
        services,
        knowledge,
        cluster,
        policy,
        loadBalancers,
        looksUpByName: cloud.directory !== undefined,
      });
      foundation.metrics.services.countOrphans(() => knowledge.orphans.count);
      const reportListed = reportOrphans(parts, knowledge.orphans);
      const feed = (memories: ReadMemories<ServiceMemory>) =>
        startServiceController({
          ...means,
          nodes,
          services,
          reconciler,
          knowledge,
          memories,
          cluster,
          policy,
          abilities: loadBalancers.abilities,
          owned,
          onListed: () => {
            unseen = undefined;
            reportListed();
          },
          onError: (error) => {
            log.warn({ error: messageOf(error) }, "The load balancers could not be listed");
            unseen = `the load balancers could not be listed: ${messageOf(error)}`;
          },
        });
      const present = () => services.list().filter(isOfThisLoop).map(keyOf);
      const ended = knowledge.ended.bind(knowledge);
      const more = { isAsking: () => asking > 0, unseen: () => unseen, present };
      return { reconciler, feed, ended, ...more };
    },
  });
}

function policyOf(flags: ControllerParts["foundation"]["flags"]): ServicePolicy {
  return {
    driftPeriodMs: flags["load-balancer-drift-period"],
    graceMs: flags["orphan-grace"],
    classes: flags["load-balancer-class"],
    classless: flags["load-balancer-classless"],
    adopt: flags.adopt,
    consents: flags["adopt-consent"],
  };
}

/** Orphans that went while no controller ran are not among those of the first listing. */
function reportOrphans(parts: ControllerParts, orphans: Pick<Orphans, "ids">): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    const found = { controller: "service-lb-controller", kind: "LoadBalancer" } as const;
    parts.recorder.append(presenceOf(parts, { ...found, names: orphans.ids }));
  };
}

const FAILED: ReadonlySet<RunOutcome["outcome"]> = new Set(["failed", "timedOut", "blocked"]);

/** Upstream's Event of a Service that could not be served (spec/30 §9), with our cause. */
function wordsOfFailure({ outcome, reason, object }: RunOutcome) {
  if (!FAILED.has(outcome) || object.kind !== "Service") return undefined;
  return {
    reason: "SyncLoadBalancerFailed",
    message: `Error syncing load balancer: ${eventMessage(reason)}`,
  };
}
