import { loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { USER_AGENT } from "../../version.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";

/** The clusters that are asked who our callers are and what they may read. */
export interface Reviewers {
  /** Undefined: tokens say nothing, and the cluster's client CA is not looked up. */
  readonly authentication: KubeConnection | undefined;
  /** Undefined: nobody reads more than is open to everybody. */
  readonly authorization: KubeConnection | undefined;
  close(): Promise<void>;
}

/**
 * By `--authentication-kubeconfig` and `--authorization-kubeconfig`; without them, in a pod, as upstream: by the pod's own
 * service account. Throws KubeConfigError.
 */
export async function connectReviewers(processContext: ProcessContext): Promise<Reviewers> {
  const { flags } = processContext;
  const authentication = await reviewer(processContext, flags["authentication-kubeconfig"]);
  const authorization = await reviewer(processContext, flags["authorization-kubeconfig"]);
  return {
    authentication,
    authorization,
    close: async () => {
      await Promise.all([authentication?.close(), authorization?.close()]);
    },
  };
}

async function reviewer(
  { clock, metrics }: ProcessContext,
  kubeconfig: string,
): Promise<KubeConnection | undefined> {
  if (kubeconfig === "" && !process.env.KUBERNETES_SERVICE_HOST) return undefined;
  const access = await loadKubeConfig({ kubeconfig, clock });
  return createKubeClient({
    access,
    clock,
    qps: 0,
    burst: 0,
    userAgent: USER_AGENT,
    onCall: metrics.kube,
    onLookup: metrics.kubeNames,
  });
}
