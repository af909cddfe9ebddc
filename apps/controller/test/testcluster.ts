import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A real kube-apiserver with etcd on loopback. */
export interface TestCluster {
  readonly kubeconfig: string;
  kubectl(...args: readonly string[]): Promise<string>;
  /** Returns the path of a kubeconfig with a client certificate of that user. */
  kubeconfigOf(user: string, group: string): Promise<string>;
  stop(): Promise<void>;
}

/** Returns the harness's folder, or undefined if it is missing: then the suite is visibly skipped. With REQUIRE_REAL=1 that is an error. */
export function testclusterFolder(): string | undefined {
  const folder = process.env.CLOUDWRIGHT_TESTCLUSTER ?? resolve(ROOT, "../shared/testcluster");
  if (existsSync(join(folder, "up"))) return folder;
  if (process.env.REQUIRE_REAL === "1") {
    throw new Error(`No test cluster in ${folder}: set CLOUDWRIGHT_TESTCLUSTER to its folder.`);
  }
  return undefined;
}

export async function startTestCluster(folder: string): Promise<TestCluster> {
  const dir = await mkdtemp(join(tmpdir(), "cloudwright-app-"));
  const { stdout } = await run(join(folder, "up"), [dir, "--controllers", "none"]);
  const kubeconfig = stdout.trim();
  const bin = (await run(join(folder, "build"))).stdout.trim();
  return {
    kubeconfig,
    kubectl: async (...args) => {
      const answer = await run(join(bin, "kubectl"), [`--kubeconfig=${kubeconfig}`, ...args]);
      return answer.stdout;
    },
    kubeconfigOf: async (user, group) => {
      const out = join(dir, `${user}-${group}.kubeconfig`);
      const who = ["--user", user, "--group", group];
      await run(join(bin, "testcluster"), ["kubeconfig", "--dir", dir, ...who, "--out", out]);
      return out;
    },
    stop: async () => {
      await run(join(folder, "down"), [dir, "--purge"]);
      await rm(dir, { recursive: true, force: true });
    },
  };
}
