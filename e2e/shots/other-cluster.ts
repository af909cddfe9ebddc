import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startCloud, startController } from "../harness/controller.ts";
import { startKubelets } from "../harness/kubelets.ts";
import { cloudwrightServing } from "../harness/processes.ts";

/** Starts a second cluster with its own cloud, nodes and controller, which reports to the same database. */
export async function startOtherCluster(within: string, databaseUrl: string, nodes: number) {
  const dir = join(within, "other-cluster");
  mkdirSync(dir, { recursive: true });
  const kubeconfig = join(dir, "kubeconfig");
  const { cloud, process: cloudProcess, config } = await startCloud(dir);
  const cluster = await cloudwrightServing(
    [
      ...["sandbox", "cluster", "--listen", "127.0.0.1:0"],
      ...["--state", join(dir, "cluster"), "--kubeconfig", kubeconfig],
    ],
    { log: join(dir, "cluster.log") },
  );
  const kubelets = startKubelets({ kubeconfig, cloud: cloud.ready }, nodes, {
    log: join(dir, "kubelets.log"),
  });
  const controller = await startController({
    kubeconfig,
    cloudConfig: config,
    dir,
    flags: { "--cluster-name": "staging", "--configure-cloud-routes": "false" },
    databaseUrl,
  });
  return {
    async stop(): Promise<void> {
      for (const part of [controller, kubelets, cluster, cloudProcess]) await part.stop();
      await cloud.close();
    },
  };
}
