import { join } from "node:path";
import { PROJECT_ROOT, run } from "../harness/processes.ts";
import type { BenchOptions } from "./main.ts";

/** Our transport and informer against client-node's, on the real API server; measured inside the room that owns them. */
export async function benchKubeTransport({ nodes }: BenchOptions): Promise<string> {
  const script = join(PROJECT_ROOT, "packages/core/bench/kube-transport.ts");
  return run(process.execPath, [
    "--expose-gc",
    "--import",
    "tsx",
    script,
    "--nodes",
    String(nodes[0] ?? 500),
  ]);
}
