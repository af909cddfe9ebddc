import { join } from "node:path";
import { runClusterCommand } from "../start.ts";

/** Runs the command in its own process, for tests that kill it: the folder is its only argument. */
const folder = process.argv[2] ?? "";
await runClusterCommand({
  listen: "127.0.0.1:0",
  stateDir: join(folder, "state"),
  kubeconfigFile: join(folder, "kubeconfig"),
  nodeMonitorGraceMs: 0,
});
