import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));

/** A real kube-apiserver with etcd on loopback. */
export interface TestCluster {
  /** The administrator's. */
  readonly kubeconfig: string;
  kubectl(...args: readonly string[]): Promise<string>;
  /** Returns the path of a kubeconfig for another identity. */
  kubeconfigOf(user: string): Promise<string>;
  apiServerPid(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Returns the folder of the harness, undefined if it is absent: the suite is then visibly skipped. With REQUIRE_REAL=1
 * its absence is an error.
 */
export function testClusterFolder(): string | undefined {
  const folder = process.env.CLOUDWRIGHT_TESTCLUSTER ?? resolve(ROOT, "../shared/testcluster");
  if (existsSync(join(folder, "up"))) return folder;
  if (process.env.REQUIRE_REAL === "1") {
    throw new Error(`No test cluster in ${folder}; set CLOUDWRIGHT_TESTCLUSTER to its folder.`);
  }
  return undefined;
}

export async function startTestCluster(folder: string): Promise<TestCluster> {
  const dir = await mkdtemp(join(tmpdir(), "cloudwright-kube-"));
  const up = await run(join(folder, "up"), [dir, "--controllers", "none", "--respawn"]);
  const kubeconfig = up.stdout.trim();
  const bin = (await run(join(folder, "build"))).stdout.trim();
  return {
    kubeconfig,
    kubectl: async (...args) => {
      const kubectl = await run(join(bin, "kubectl"), [`--kubeconfig=${kubeconfig}`, ...args]);
      return kubectl.stdout;
    },
    kubeconfigOf: async (user) => {
      const args = ["kubeconfig", "--dir", dir, "--user", user, "--group", "testers"];
      return (await run(join(bin, "testcluster"), args)).stdout.trim();
    },
    apiServerPid: async () => {
      const state = stateSchema.parse(JSON.parse(await readFile(join(dir, "state.json"), "utf8")));
      return state.pids["kube-apiserver"];
    },
    stop: async () => {
      await run(join(folder, "down"), [dir, "--purge"]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const stateSchema = z.object({ pids: z.object({ "kube-apiserver": z.number() }) });
