import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Access } from "./api-client.ts";

/** The test cluster's folder: from the environment, else beside the project. */
const HARNESS =
  process.env.CLOUDWRIGHT_TESTCLUSTER ??
  resolve(import.meta.dirname, "../../../../../../shared/testcluster");

/** Returns why the real API server is not available, or undefined. Under REQUIRE_REAL=1 its absence is an error. */
export function missingRealCluster(): string | undefined {
  if (existsSync(join(HARNESS, "up"))) return undefined;
  const reason = `no test cluster in ${HARNESS}; set CLOUDWRIGHT_TESTCLUSTER to its folder`;
  if (process.env.REQUIRE_REAL === "1")
    throw new Error(`REQUIRE_REAL is set, but there is ${reason}.`);
  return reason;
}

export interface RealCluster {
  readonly access: Access;
  readonly kubeconfig: string;
  readonly discard: () => void;
}

/** The sandbox cluster's ranges, so that both assign the same kinds of addresses. */
const SERVICE_RANGES = "10.96.0.0/16,fd00:96::/108";

/** Starts kube-apiserver with etcd, without controllers unless some are named; takes about three seconds. */
export function startRealCluster(controllers = "none"): RealCluster {
  const folder = mkdtempSync(join(tmpdir(), "real-cluster-"));
  const settings = ["--controllers", controllers, "--service-cluster-ip-range", SERVICE_RANGES];
  const kubeconfig = run("up", [folder, ...settings]).trim();
  return {
    access: readAccess(readFileSync(kubeconfig, "utf8")),
    kubeconfig,
    discard: () => {
      run("down", [folder, "--purge"]);
    },
  };
}

/** Returns the folder with the real kubectl. */
export function realBinaries(): string {
  return run("build", []).trim();
}

function run(script: string, parameters: readonly string[]): string {
  return execFileSync(join(HARNESS, script), parameters, { encoding: "utf8" });
}

/** Reads the few members that the harness writes, by name: one cluster, one user. */
function readAccess(kubeconfig: string): Access {
  const member = (name: string) => {
    const value = new RegExp(`"?${name}"?: *"?([^"\\s,]+)`).exec(kubeconfig)?.[1];
    if (value === undefined) throw new Error(`The test cluster's kubeconfig has no ${name}.`);
    return value;
  };
  const decoded = (name: string) => Buffer.from(member(name), "base64").toString("utf8");
  return {
    server: member("server"),
    ca: decoded("certificate-authority-data"),
    certificate: decoded("client-certificate-data"),
    key: decoded("client-key-data"),
  };
}
