import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { Kube, type Node, View } from "../harness/kube.ts";
import { PROJECT_ROOT, run, type Started, start } from "../harness/processes.ts";
import type { SuiteRow } from "../harness/verdicts.ts";
import type { CloudValues, ClusterCloud, PreparedCloud } from "./clouds/cloud.ts";
import { databaseImage, type Image, productImage } from "./images.ts";
import { type LabStatus, openLab } from "./lab.ts";

/** One thing that an installed Cloudwright has to show; each row goes on from where the one before it has left the cluster. */
export type Row = SuiteRow<ClusterEnvironment>;

export const RELEASE = "cloudwright";
export const NAMESPACE = "cloudwright";
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
  readonly cloud: ClusterCloud;
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
  readonly cloud: PreparedCloud;
  readonly dir: string;
  /** An archive of the image that is there already. */
  readonly archive: string | undefined;
  /** An archive of the release before, tagged `before`; absent: no upgrade from it is tried. */
  readonly before: string | undefined;
}

export async function openEnvironment({ folder, cloud: prepared, dir, archive, before }: Options) {
  const endings: (() => unknown)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const image = await productImage(dir, archive);
    const database = databaseImage(folder, dir);
    const images = [image.file, database.file, ...(before === undefined ? [] : [before])];
    const lab = await openLab(folder, { dir: labFolder(dir), route: prepared.route, images });
    endings.push(() => lab.close());
    const { status } = lab;
    const tools = commands(status);
    await tools.kubectl("create", "namespace", NAMESPACE);
    const createSecret = (name: string, files: Readonly<Record<string, string>>) =>
      createSecretOf(tools, dir, { name, files });
    const cloud = await prepared.open({ status, dir, createSecret });
    endings.push(() => cloud.close());
    const kube = new Kube(status.kubeconfig);
    endings.push(() => kube.close());
    const nodes = await View.open<Node>(kube, "/api/v1/nodes");
    endings.push(() => nodes.close());
    const values = writeValues({ status, cloud: cloud.values, dir, database: database.name });
    const env: ClusterEnvironment = {
      ...{
        status,
        image,
        databaseImage: database.name,
        hasBefore: before !== undefined,
        kube,
        nodes,
        cloud,
        dir,
        values,
      },
      ...tools,
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

type Tools = Pick<ClusterEnvironment, "helm" | "kubectl" | "kubectlServing">;

function commands(status: LabStatus): Tools {
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

/** As an operator makes it before the installation. */
async function createSecretOf(
  { kubectl }: Tools,
  dir: string,
  { name, files }: { readonly name: string; readonly files: Readonly<Record<string, string>> },
): Promise<void> {
  const keys = Object.entries(files).map(([key, text]) => {
    const file = join(dir, key);
    writeFileSync(file, text, { mode: 0o600 });
    return `--from-file=${key}=${file}`;
  });
  await kubectl("-n", NAMESPACE, "create", "secret", "generic", name, ...keys);
}

/** As an operator writes them: addresses instead of names, disks on the node, as the lab has neither DNS nor storage. */
function writeValues(given: {
  readonly status: LabStatus;
  readonly cloud: CloudValues;
  readonly dir: string;
  readonly database: string;
}): string {
  const values = {
    image: { repository: "testnodes.local/cloudwright" },
    cloud: given.cloud.cloud,
    controller: {
      flags: {
        "allocate-node-cidrs": true,
        "cluster-cidr": given.status.podCIDR,
        ...given.cloud.flags,
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
