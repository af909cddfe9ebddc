import { join } from "node:path";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

/** Our transport and informer against client-node's, on the real API server; measured inside the room that owns them. */
export async function benchKubeTransport(nodes: number): Promise<string> {
  const script = join(PROJECT_ROOT, "packages/core/bench/kube-transport.ts");
  const options = ["--nodes", String(nodes)];
  return run(process.execPath, ["--expose-gc", "--import", "tsx", script, ...options]);
}
