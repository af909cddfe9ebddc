import { existsSync } from "node:fs";
import { Kube } from "../harness/kube.ts";
import { realCluster } from "./real-cluster.ts";
import { sandboxCluster } from "./sandbox-cluster.ts";
import { inForce, shippedKubeconfig } from "./shipped-roles.ts";
import { testCluster } from "./testcluster.ts";

/** A cluster that the suite may write to, and the few things that the Kubernetes API alone does not offer. */
export interface ClusterUnderTest {
  readonly kind: "sandbox" | "testcluster" | "file";
  /** An administrator's. */
  readonly kubeconfig: string;
  /**
   * That of the groups' controllers: a service account with the roles of `deploy/rbac` and nothing else. The administrator's
   * where the cluster is not ours.
   */
  readonly controllerKubeconfig: string;
  /** Requests of the groups' controllers that their roles did not allow so far; undefined where no record is kept. */
  refusals(): Promise<readonly SeenRequest[] | undefined>;
  /** Makes the API refuse some writes until the answer is called. */
  refuse(rule: Refusal): Promise<() => Promise<void>>;
  /** Writes to the API so far that name this object, or undefined where no such record is kept. */
  writes(resource: string, name: string): Promise<number | undefined>;
  /** Writes to this Service of the namespace `default` so far, oldest first; undefined where no record is kept. */
  serviceWrites(name: string): Promise<readonly SeenWrite[] | undefined>;
  /**
   * What this service account asked so far, oldest first; one of the suite's own unless the namespace is `kube-system`.
   * Undefined where no record is kept.
   */
  requestsOf(
    account: string,
    namespace?: "kube-system",
  ): Promise<readonly SeenRequest[] | undefined>;
  /** Kills the API server; resolves when it serves again what it had. Absent where it is not ours to kill. */
  readonly restart?: () => Promise<void>;
  /** Makes it impossible to watch from any resource version that is known by now. Absent as above. */
  readonly forgetVersions?: () => Promise<void>;
  close(): Promise<void>;
}

export interface Refusal {
  readonly name: string;
  readonly verb: "DELETE" | "PATCH_STATUS";
  readonly node: string;
  readonly message: string;
}

export interface SeenRequest {
  /** When the API server took it, milliseconds since the epoch. */
  readonly at: number;
  readonly verb: string;
  readonly path: string;
  readonly code: number;
}

export interface SeenWrite extends SeenRequest {
  /** What was sent; undefined where it was too long or no JSON. */
  readonly body: unknown;
}

export async function openCluster(wanted: string, workDir: string): Promise<ClusterUnderTest> {
  if (wanted === "sandbox") return withShippedRoles(await sandboxCluster(workDir), workDir);
  if (wanted === "testcluster") return withShippedRoles(await testCluster(workDir), workDir);
  if (!existsSync(wanted)) throw new Error(`--cluster ${wanted}: no such kubeconfig file`);
  const cluster = realCluster({ kind: "file", kubeconfig: wanted, close: async () => {} });
  return { ...cluster, controllerKubeconfig: wanted };
}

export type OpenedCluster = Omit<ClusterUnderTest, "controllerKubeconfig">;

async function withShippedRoles(cluster: OpenedCluster, dir: string): Promise<ClusterUnderTest> {
  const kube = new Kube(cluster.kubeconfig);
  try {
    const { kubeconfig } = cluster;
    const controllerKubeconfig = await shippedKubeconfig(kube, { kubeconfig, dir });
    const asController = new Kube(controllerKubeconfig);
    await inForce(asController, "/api/v1/nodes");
    await inForce(asController, "/api/v1/services");
    await asController.close();
    return { ...cluster, controllerKubeconfig };
  } catch (error) {
    await cluster.close();
    throw error;
  } finally {
    await kube.close();
  }
}
