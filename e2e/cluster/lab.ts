import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { endedWithSuite } from "../harness/endings.ts";
import { PROJECT_ROOT, run } from "../harness/processes.ts";

const statusSchema = z.object({
  kubeconfig: z.string(),
  /** This machine as pods and nodes reach it. */
  gateway: z.string(),
  podCIDR: z.string(),
  /** A folder with kubectl. */
  testcluster: z.string(),
  nodes: z.array(
    z.object({ name: z.string(), ip: z.string(), pids: z.record(z.string(), z.number()) }),
  ),
});
export type LabStatus = z.infer<typeof statusSchema>;

/** A cluster with real nodes on this machine. */
export interface Lab {
  readonly status: LabStatus;
  /** Ends it and removes all that it wrote. */
  close(): Promise<void>;
}

/** Where the lab's commands are; or why it cannot run here, as the end of a sentence. */
export function findLab(): { readonly folder: string } | { readonly why: string } {
  const folder = process.env.CLOUDWRIGHT_KUBELET ?? join(PROJECT_ROOT, "../shared/kubelet");
  if (!existsSync(join(folder, "up")))
    return { why: "the lab with real kubelets is not here (CLOUDWRIGHT_KUBELET names its folder)" };
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return { why: "nodes with a real kubelet take Linux and root" };
  return { folder };
}

/** Builds what the lab runs, unless it is built. Takes minutes once. */
export async function buildLab(folder: string): Promise<void> {
  await run(join(folder, "build"), []);
}

/** How soon a node that is silent counts as lost: four of its kubelet's reports. */
const GRACE = "--node-monitor-grace-period=20s";

/** Two nodes that have registered, and wait for a pod range and for the cloud. The machine sends `route` to the first of them. */
export async function openLab(
  folder: string,
  { dir, route, images }: { dir: string; route: string; images: readonly string[] },
): Promise<Lab> {
  const manager = ["--cluster-arg", "--controller-manager-arg", "--cluster-arg", GRACE];
  const loads = images.flatMap((file) => ["--load", file]);
  const close = endedWithSuite(() => run(join(folder, "down"), [dir, "--purge"]));
  try {
    const nodes = ["--nodes", "2", "--pod-cidrs", "cluster", "--route", route];
    await run(join(folder, "up"), [dir, ...nodes, ...manager, ...loads]);
    const status = statusSchema.parse(JSON.parse(await run(join(folder, "status"), [dir])));
    return { status, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}
