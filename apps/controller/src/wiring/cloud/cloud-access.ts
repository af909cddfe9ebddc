import { type CloudBudget, createCloudBudget } from "@cloudwright/core/cloud/calls/budget";
import { type CloudCall, createCallContexts } from "@cloudwright/core/cloud/calls/call-context";
import { createInstanceDirectory } from "@cloudwright/core/cloud/instances/instance-directory";
import { createLoadBalancerDirectory } from "@cloudwright/core/cloud/load-balancers/load-balancer-directory";
import type { LoadBalancerDirectory } from "@cloudwright/core/cloud/ports";
import {
  createQuotaDirectory,
  type QuotaDirectory,
} from "@cloudwright/core/cloud/quotas/quota-directory";
import { createRouteDirectory } from "@cloudwright/core/cloud/routes/route-directory";
import { createVolumeDirectory } from "@cloudwright/core/cloud/volumes/volume-directory";
import type { CloudDirectories, Offer } from "@cloudwright/core/controllers/controller-module";
import { meteredBudget } from "@cloudwright/core/reconcile/budget/metered-parts";
import { type ConfigProblem, isProviderError, type Provider } from "@cloudwright/provider-api";
import { MODULES } from "../../modules.ts";
import { isIdentified } from "../cluster/cluster-identity.ts";
import type { ClusterObjects } from "../cluster/cluster-objects.ts";
import type { Fence, Fences } from "../cluster/fences.ts";
import type { ProcessContext } from "../process-context.ts";

/** The access to the cloud that all loops of this process share; each change needs the Lease of the loop that makes it. */
export interface CloudAccess extends Omit<CloudDirectories, "loadBalancers"> {
  readonly provider: Provider;
  readonly budget: CloudBudget;
  /**
   * The part of the cluster shown to a provider in another process; absent for a provider in this process, which receives what it
   * needs.
   */
  readonly objects?: ClusterObjects;
  /** Returns what the configuration names but the cloud does not have; undefined for a provider that does not compare them. */
  readonly checkConfig: ((signal: AbortSignal) => Promise<readonly ConfigProblem[]>) | undefined;
  /** Undefined for a cloud without quotas. */
  readonly quotas: QuotaDirectory | undefined;
  /** Returns the only directory of this cluster's load balancers; undefined if the provider offers none, or the cluster is unidentified. */
  balancers(clusterUid: string): LoadBalancerDirectory | undefined;
}

export function accessCloud(
  { clock, metrics, meter, flags }: ProcessContext,
  provider: Provider,
  fences: Fences,
): CloudAccess {
  const maxRetryAfterMs = flags["max-retry-after"];
  const { answerTimeoutMs } = provider;
  const limits = { provider: provider.name, clock, maxClosedMs: maxRetryAfterMs };
  const budget = meteredBudget(createCloudBudget(limits), meter);
  const behind = (fence: Fence) => ({
    contexts: createCallContexts({
      provider: provider.name,
      clock,
      budget,
      fence,
      maxRetryAfterMs,
      ...(answerTimeoutMs === undefined ? {} : { deadlineMs: answerTimeoutMs }),
      onCall: (call) => {
        metrics.own.cloudCall(provider.name, call);
        metrics.manager.call(provider.upstreamMetrics, call);
        if (isRefusedForQuota(call)) quotas?.refused();
      },
    }),
    clock,
    budgetWaitMs: () => budget.waitMs(),
    onLookup: meter.lookup,
  });
  // Each change of the cloud needs the Lease of the one controller that makes it.
  const of = (offer: Offer) => {
    const owner = MODULES.find(({ needs }) => needs.ofProvider === offer);
    return behind(owner === undefined ? fences.main : fences.of(owner.name));
  };
  const { name, instances, loadBalancers, routes, volumes } = provider;
  const quotas =
    provider.quotas && createQuotaDirectory({ ...behind(fences.main), sources: provider.quotas });
  let balancers: LoadBalancerDirectory | undefined;
  return {
    provider,
    budget,
    quotas,
    checkConfig:
      provider.checkConfig &&
      (async (signal) => {
        const { contexts } = behind(fences.main);
        return (await provider.checkConfig?.(contexts({ signal, priority: "refresh" }))) ?? [];
      }),
    instances: instances && createInstanceDirectory({ ...behind(fences.main), instances }),
    balancers: (clusterUid) => {
      if (loadBalancers === undefined || !isIdentified(clusterUid)) return undefined;
      balancers ??= createLoadBalancerDirectory({
        ...of("loadBalancers"),
        loadBalancers,
        clusterUid,
      });
      return balancers;
    },
    routes: routes && createRouteDirectory({ ...of("routes"), routes }),
    volumes: volumes && createVolumeDirectory({ ...of("volumes"), volumes, provider: name }),
  };
}

/** A refused read cannot be due to a quota, whatever the provider says. */
function isRefusedForQuota({ mutates, error }: CloudCall): boolean {
  return mutates && isProviderError(error) && error.code === "QuotaExceeded";
}
