import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type ClusterOptions, type RunningCluster, startCluster } from "../start.ts";
import { type Access, ApiClient } from "./api-client.ts";

export interface TestCluster extends RunningCluster {
  readonly client: ApiClient;
  readonly access: Access;
  readonly folder: string;
  /** Stops and starts again on the same folder, with changed settings if given. */
  readonly restart: (changed?: Settings) => Promise<TestCluster>;
  /** Stops and removes the folder. */
  readonly discard: () => Promise<void>;
}

type Settings = Partial<Pick<ClusterOptions, "nodeMonitorGraceMs" | "rbac">>;

/** A sandbox cluster in a folder of its own. */
export function startTestCluster(settings: Settings = {}): Promise<TestCluster> {
  return startIn(mkdtempSync(join(tmpdir(), "sandbox-cluster-")), settings);
}

async function startIn(folder: string, settings: Settings): Promise<TestCluster> {
  const kubeconfigFile = join(folder, "kubeconfig");
  const cluster = await startCluster({
    listen: "127.0.0.1:0",
    stateDir: join(folder, "state"),
    kubeconfigFile,
    nodeMonitorGraceMs: 0,
    ...settings,
  });
  const access = {
    server: cluster.server,
    token: cluster.token,
    ca: readAuthority(kubeconfigFile),
  };
  const client = new ApiClient(access);
  const stop = async () => {
    await client.close();
    await cluster.close();
  };
  const restart = async (changed: Settings = {}) => {
    await stop();
    return startIn(folder, { ...settings, ...changed });
  };
  const discard = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...cluster, client, access, folder, restart, discard };
}

const kubeconfigSchema = z.object({
  clusters: z.tuple([
    z.object({ cluster: z.object({ "certificate-authority-data": z.string() }) }),
  ]),
});

function readAuthority(kubeconfigFile: string): string {
  const config = kubeconfigSchema.parse(JSON.parse(readFileSync(kubeconfigFile, "utf8")));
  const encoded = config.clusters[0].cluster["certificate-authority-data"];
  return Buffer.from(encoded, "base64").toString("utf8");
}
