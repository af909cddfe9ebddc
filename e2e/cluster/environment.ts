import { randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { Cloud, type CloudReady } from "../harness/cloud.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import {
  cloudwrightServing,
  PROJECT_ROOT,
  run,
  type Started,
  start,
} from "../harness/processes.ts";
import type { SuiteRow } from "../harness/verdicts.ts";
import { databaseImage, type Image, productImage } from "./images.ts";
import { type LabStatus, openLab } from "./lab.ts";

/** One thing that an installed Cloudwright has to show; each row goes on from where the one before it has left the cluster. */
export type Row = SuiteRow<ClusterEnvironment>;

export const RELEASE = "cloudwright";
export const NAMESPACE = "cloudwright";
/** Where the sandbox cloud's load balancers have their addresses. */
const BALANCERS = "198.19.0.0/16";
/** On which every node answers for the dashboard. */
const DASHBOARD_PORT = 30_300;

/** Of its node port on the first node. */
export function dashboardUrl({ nodes }: LabStatus): string {
  return `http://${nodes[0]?.ip}:${DASHBOARD_PORT}`;
}

/** A cluster whose nodes nobody has initialised, the cloud that has their machines, and the chart to install. */
export interface ClusterEnvironment {
  readonly status: LabStatus;
  readonly image: Image & { readonly printed: string };
  /** The name of an image of PostgreSQL that takes the official one's settings. */
  readonly databaseImage: string;
  /** Whether there is an image of the release before, with the tag `before`. */
  readonly hasBefore: boolean;
  readonly kube: Kube;
  readonly nodes: View<Node>;
  readonly cloud: Cloud;
  readonly dir: string;
  /** Of the chart: what this cluster needs. */
  readonly values: string;
  /** Answers all that it printed, logs of hooks included. */
  helm(...args: readonly string[]): Promise<string>;
  kubectl(...args: readonly string[]): Promise<string>;
  /** Runs kubectl until it is stopped. */
  kubectlServing(...args: readonly string[]): Started;
}

export interface Options {
  /** The lab's folder. */
  readonly folder: string;
  readonly dir: string;
  /** An archive of the image that is there already. */
  readonly archive: string | undefined;
  /** An archive of the release before, tagged `before`; absent: no upgrade from it is tried. */
  readonly before: string | undefined;
}

export async function openEnvironment({ folder, dir, archive, before }: Options) {
  const endings: (() => unknown)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const image = await productImage(dir, archive);
    const database = databaseImage(folder, dir);
    const images = [image.file, database.file, ...(before === undefined ? [] : [before])];
    const lab = await openLab(folder, { dir: labFolder(dir), route: BALANCERS, images });
    endings.push(() => lab.close());
    const { status } = lab;
    const cloud = await openCloud(status, dir);
    endings.push(() => cloud.close());
    const kube = new Kube(status.kubeconfig);
    endings.push(() => kube.close());
    const nodes = await View.open<Node>(kube, "/api/v1/nodes");
    endings.push(() => nodes.close());
    const values = writeValues({ status, cloud: cloud.cloud.ready, dir, database: database.name });
    const env: ClusterEnvironment = {
      ...{
        status,
        image,
        databaseImage: database.name,
        hasBefore: before !== undefined,
        kube,
        nodes,
        cloud: cloud.cloud,
        dir,
        values,
      },
      ...commands(status),
    };
    return { env, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** In which the lab has the folders of its nodes. */
export function labFolder(dir: string): string {
  return join(dir, "lab");
}

function commands(
  status: LabStatus,
): Pick<ClusterEnvironment, "helm" | "kubectl" | "kubectlServing"> {
  const env = { KUBECONFIG: status.kubeconfig };
  const kubectl = join(status.testcluster, "kubectl");
  const script = join(PROJECT_ROOT, "scripts/helm.mjs");
  return {
    helm: async (...args) => {
      // What hooks have logged comes on stderr.
      const helm = start(process.execPath, [script, ...args], { env });
      const code = await helm.ended;
      if (code !== 0) throw new Error(`helm ${args[0]} ended with ${code}: ${helm.output()}`);
      return helm.output();
    },
    kubectl: (...args) => run(kubectl, args, { env }),
    kubectlServing: (...args) => start(kubectl, args, { env }),
  };
}

/** On the one address that pods reach, with a machine for each node. */
async function openCloud({ gateway, nodes }: LabStatus, dir: string) {
  const token = randomBytes(16).toString("hex");
  const started = await cloudwrightServing<CloudReady>(
    [
      "sandbox",
      "cloud",
      "--listen",
      `${gateway}:0`,
      "--state",
      join(dir, "cloud"),
      "--token",
      token,
    ],
    { log: join(dir, "cloud.log") },
  );
  const cloud = new Cloud(started.ready);
  for (const { name, ip } of nodes) {
    const addresses = [
      { type: "InternalIP", address: ip },
      { type: "Hostname", address: name },
    ];
    await cloud.put({ name, addresses });
  }
  return {
    cloud,
    close: async () => {
      await cloud.close();
      await started.stop();
    },
  };
}

/** As an operator writes them: addresses instead of names, disks on the node, as the lab has neither DNS nor storage. */
function writeValues(given: {
  readonly status: LabStatus;
  readonly cloud: CloudReady;
  readonly dir: string;
  readonly database: string;
}): string {
  const { endpoint, token } = given.cloud;
  const values = {
    image: { repository: "testnodes.local/cloudwright" },
    cloud: {
      provider: "sandbox",
      key: "cloud.yaml",
      config: stringify({ endpoint, token, clusterId: randomUUID() }),
    },
    controller: {
      flags: {
        "allocate-node-cidrs": true,
        "cluster-cidr": given.status.podCIDR,
        "configure-cloud-routes": false,
        v: 2,
      },
      spool: { type: "hostPath" },
    },
    database: {
      mode: "trial",
      trial: {
        image: given.database,
        user: 65_532,
        storage: { type: "hostPath" },
        nodeSelector: { "kubernetes.io/hostname": given.status.nodes[0]?.name },
      },
    },
    dashboard: {
      publicUrl: dashboardUrl(given.status),
      service: { type: "NodePort", nodePort: DASHBOARD_PORT },
    },
  };
  const file = join(given.dir, "values.yaml");
  writeFileSync(file, stringify(values), { mode: 0o600 });
  return file;
}
