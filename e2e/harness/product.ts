import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cloud } from "./cloud.ts";
import { freePort } from "./free-port.ts";
import { Kube } from "./kube.ts";
import { PROJECT_ROOT, type Started, start } from "./processes.ts";
import { demand, eventually } from "./wait.ts";

/** What `npm start` writes once everything is serving. */
export interface Endpoints {
  readonly dashboard: string;
  readonly signInUrl: string;
  readonly kubeconfig: string;
  readonly cloud: { readonly endpoint: string; readonly token: string; readonly admin: string };
  readonly databaseUrl: string;
  /** All clusters, the first included, if there are several. */
  readonly clusters?: readonly ClusterEndpoints[];
}

export interface ClusterEndpoints extends Pick<Endpoints, "kubeconfig" | "cloud"> {
  readonly name: string;
}

export interface Product {
  readonly endpoints: Endpoints;
  readonly cloud: Cloud;
  readonly kube: Kube;
  readonly dataDir: string;
  readonly process: Started;
  /** Ends it like Ctrl-C. `keep` keeps its state for the next start. */
  stop(options?: { keep: boolean }): Promise<void>;
}

/** Starts what `npm start` runs, with its own state and port. */
export async function startProduct(
  args: readonly string[] = [],
  dataDir = mkdtempSync(join(tmpdir(), "cloudwright-product-")),
): Promise<Product> {
  const port = await freePort();
  const started = start(
    process.execPath,
    [join(PROJECT_ROOT, "scripts/start.mjs"), "--data", dataDir, "--port", String(port), ...args],
    { env: { DATABASE_URL: undefined } },
  );
  const endpoints = await eventually(
    () => (started.child.exitCode === null ? readEndpoints(dataDir) : undefined),
    { withinMs: 600_000 },
  );
  if (endpoints === undefined) throw new Error(`npm start ended early: ${started.output()}`);
  const cloud = new Cloud(endpoints.cloud);
  const kube = new Kube(endpoints.kubeconfig);
  return {
    endpoints,
    cloud,
    kube,
    dataDir,
    process: started,
    stop: async ({ keep } = { keep: false }) => {
      await started.stop("SIGINT");
      await Promise.all([cloud.close(), kube.close()]);
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function readEndpoints(dataDir: string): Endpoints {
  const path = join(dataDir, "endpoints.json");
  demand(existsSync(path), "it has not written its endpoints yet");
  return JSON.parse(readFileSync(path, "utf8")) as Endpoints;
}

/** Returns the connection string of its dashboard, which has a login of its own. */
export function dashboardUrl({ dataDir }: Pick<Product, "dataDir">): string {
  const text = readFileSync(join(dataDir, "database-roles.json"), "utf8");
  return (JSON.parse(text) as { readonly web: string }).web;
}
