import type { ClusterAccess } from "@cloudwright/core/kube/access/kubeconfig";
import { createKubeClient, type KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import { USER_AGENT } from "../../version.ts";
import type { ProcessContext } from "../process-context.ts";
import type { Fences } from "./fences.ts";

export interface ClusterConnection {
  readonly access: ClusterAccess;
  /** Limited by --kube-api-qps; writes only while this process leads. */
  readonly client: KubeConnection;
  /**
   * A connection for the election alone, so that no other call delays a renewal. Its fence permits writes before this process
   * leads, since those make it the leader.
   */
  readonly election: KubeConnection;
  close(): Promise<void>;
}

export function connectCluster(
  { flags, clock, metrics }: ProcessContext,
  access: ClusterAccess,
  fences: Pick<Fences, "main" | "election">,
): ClusterConnection {
  const shared = {
    access,
    clock,
    userAgent: USER_AGENT,
    onCall: metrics.kube,
    onLookup: metrics.kubeNames,
  };
  const client = createKubeClient({
    ...shared,
    qps: flags["kube-api-qps"],
    burst: flags["kube-api-burst"],
    fence: fences.main,
  });
  const election = createKubeClient({ ...shared, qps: 0, burst: 0, fence: fences.election });
  return {
    access,
    client,
    election,
    close: async () => {
      await Promise.all([client.close(), election.close()]);
    },
  };
}
