import { serveUntilStopped } from "../process/serve-until-stopped.ts";
import { type ClusterOptions, startCluster } from "./start.ts";

/** `cloudwright sandbox cluster`: serves until it is told to end. Rejects when it cannot start. */
export async function runClusterCommand(options: ClusterOptions): Promise<void> {
  const { server, admin, kubeconfig, close } = await startCluster(options);
  await serveUntilStopped({ server, kubeconfig, admin }, close);
}
