import { type ClusterAccess, loadKubeConfig } from "@cloudwright/core/kube/access/kubeconfig";
import type { Provider } from "@cloudwright/provider-api";
import { allTogether } from "../plain-error.ts";
import { checkAdoption, checkRoutes } from "./cloud/check-provider.ts";
import { accessCloud, type CloudAccess } from "./cloud/cloud-access.ts";
import { loadCloud } from "./cloud/load-cloud.ts";
import { type ClusterConnection, connectCluster } from "./cluster/connect-cluster.ts";
import type { Fences } from "./cluster/fences.ts";
import type { ProcessContext } from "./process-context.ts";

/** The two sides that controllers stand between. */
export interface Connections {
  readonly access: ClusterAccess;
  readonly cluster: ClusterConnection;
  readonly provider: Provider;
  readonly cloud: CloudAccess;
  close(): Promise<void>;
}

/** Loads the provider and the cluster's access, and checks that the flags suit them. Throws PlainError or KubeConfigError. */
export async function connect(
  processContext: ProcessContext,
  fences: Fences,
): Promise<Connections> {
  const { flags, log, clock } = processContext;
  const [provider, access] = await allTogether([
    loadCloud(flags, log),
    loadKubeConfig({ kubeconfig: flags.kubeconfig, master: flags.master, clock }),
  ]);
  checkRoutes(flags, provider);
  checkAdoption(flags, provider);
  const cluster = connectCluster(processContext, access, fences);
  return {
    access,
    cluster,
    provider,
    cloud: accessCloud(processContext, provider, fences),
    close: async () => {
      await Promise.all([cluster.close(), provider.close?.()]);
    },
  };
}
