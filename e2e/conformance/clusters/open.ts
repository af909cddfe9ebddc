import { existsSync } from "node:fs";
import { Kube } from "../../harness/kube.ts";
import { accountKubeconfig } from "./accounts.ts";
import type { ClusterUnderTest, OpenedCluster } from "./cluster-under-test.ts";
import { realCluster } from "./real.ts";
import { sandboxCluster } from "./sandbox.ts";
import {
  grantShipped,
  type NamedRight,
  type Role,
  rulesWithout,
  SHIPPED,
} from "./shipped-roles.ts";
import { testCluster } from "./testcluster.ts";

export interface ClusterOptions {
  /** The folder of its files and logs. */
  readonly dir: string;
  /** Names of Leases that controllers will compete for, besides the default ones. */
  readonly leases?: readonly string[];
  /** A right removed from the shipped roles, to see which scenarios need it. */
  readonly without?: NamedRight | undefined;
}

export async function openCluster(
  wanted: string,
  options: ClusterOptions,
): Promise<ClusterUnderTest> {
  if (wanted === "sandbox") return withShippedRoles(await sandboxCluster(options.dir), options);
  if (wanted === "testcluster") return withShippedRoles(await testCluster(options.dir), options);
  if (!existsSync(wanted)) throw new Error(`--cluster ${wanted}: no such kubeconfig file`);
  const cluster = realCluster({ kind: "file", kubeconfig: wanted, close: async () => {} });
  return { ...cluster, controllerKubeconfig: wanted, less: {} };
}

async function withShippedRoles(
  cluster: OpenedCluster,
  { dir, leases = [], without }: ClusterOptions,
): Promise<ClusterUnderTest> {
  const { kubeconfig } = cluster;
  const kube = new Kube(kubeconfig);
  try {
    const controllerKubeconfig = await accountKubeconfig(kube, SHIPPED, { kubeconfig, dir });
    const less =
      without === undefined ? {} : { change: (role: Role) => rulesWithout(role, without) };
    await grantShipped(kube, { account: SHIPPED, leases, ...less });
    return { ...cluster, controllerKubeconfig, less };
  } catch (error) {
    await cluster.close();
    throw error;
  } finally {
    await kube.close();
  }
}
