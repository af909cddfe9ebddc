import { join } from "node:path";
import { runClusterCommand } from "../start.ts";

/** The command in a process of its own, for tests that kill it: the folder is its one parameter. */
const folder = process.argv[2] ?? "";
await runClusterCommand({
  listen: "127.0.0.1:0",
  stateDir: join(folder, "state"),
  kubeconfigFile: join(folder, "kubeconfig"),
  nodeMonitorGraceMs: 0,
});
