import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { providerKubeconfig } from "../conformance/clusters/provider-account.ts";
import { testCluster } from "../conformance/clusters/testcluster.ts";
import { argumentsOf, type Flags, hasEnded, startController } from "../harness/controller.ts";
import { Kube, type KubeEvent, type Node, View } from "../harness/kube.ts";
import { run, type Started, start } from "../harness/processes.ts";
import { SERVICES, type Service } from "../harness/service.ts";
import { Lab } from "./lab.ts";

/** Who works on a side: our controller with upstream's provider in a process, or upstream's own manager. */
export type Who = "ours" | "upstream's manager";

/** A cloud and a cluster with one of the two between them. */
export interface Side {
  readonly who: Who;
  readonly lab: Lab;
  readonly kube: Kube;
  readonly nodes: View<Node>;
  readonly services: View<Service>;
  readonly events: View<KubeEvent>;
  /** Starts it, in place of the one that runs, with these flags more. */
  restart(flags?: Flags): Promise<void>;
  /** Ends it: nobody works on the cloud until the next start. */
  stop(): Promise<void>;
  /** Registers that many machines from the first on, as their kubelets do. */
  register(first: number, count: number, more?: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface SideOptions {
  readonly who: Who;
  readonly dir: string;
  readonly labFolder: string;
  readonly providerFolder: string;
}

const MACHINES = 4;
export const POD_RANGE = "10.128.0.0/16";

export async function openSide({ who, labFolder, ...options }: SideOptions): Promise<Side> {
  const endings: (() => unknown)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    const dir = join(options.dir, who === "ours" ? "ours" : "upstream");
    mkdirSync(dir, { recursive: true });
    const lab = await Lab.open(labFolder, MACHINES);
    endings.push(() => lab.close());
    const { kubeconfig, close: closeCluster } = await testCluster(dir);
    endings.push(closeCluster);
    const kube = new Kube(kubeconfig);
    endings.push(() => kube.close());
    const nodes = await View.open<Node>(kube, "/api/v1/nodes");
    const events = await View.open<KubeEvent>(kube, "/api/v1/namespaces/default/events");
    const services = await View.open<Service>(kube, SERVICES);
    endings.push(() => [nodes, events, services].map((view) => view.close()));
    const ofProvider = await providerKubeconfig(kube, { files: ["rbac.yaml"], kubeconfig, dir });
    const startIt = (flags: Flags) =>
      who === "ours"
        ? startOurs({ ...options, dir, lab, kubeconfig, ofProvider }, flags)
        : startUpstream({ dir, lab, kubeconfig }, flags);
    let running: Started | undefined;
    const stop = async () => {
      await running?.stop();
      running = undefined;
    };
    endings.push(stop);
    return {
      ...{ who, lab, kube, nodes, events, services, stop, close },
      restart: async (flags = {}) => {
        await stop();
        running = await startIt(flags);
      },
      register: async (first, count, more = []) => {
        const which = ["--first", String(first), "--count", String(count), "--pod-cidr", POD_RANGE];
        await run(join(labFolder, "nodes"), [lab.dir, kubeconfig, ...which, ...more]);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Start {
  readonly dir: string;
  readonly lab: Lab;
  readonly kubeconfig: string;
}

interface StartOurs extends Start {
  readonly providerFolder: string;
  /** The kubeconfig of the provider's process. */
  readonly ofProvider: string;
}

/** With its defaults, as the other one has: calls are counted beside each other. */
function startOurs(
  { dir, lab, kubeconfig, providerFolder, ofProvider }: StartOurs,
  flags: Flags,
): Promise<Started> {
  return startController({
    ...{ dir, kubeconfig, cloudConfig: lab.cloudConfig },
    flags: {
      "--cloud-provider": "aws",
      "--provider-path": providerFolder,
      "--cluster-name": "lab",
      "--leader-elect": "false",
      "--configure-cloud-routes": "false",
      ...flags,
    },
    env: { ...lab.settings, CLOUDWRIGHT_PROVIDER_KUBECONFIG: ofProvider },
  });
}

async function startUpstream({ dir, lab, kubeconfig }: Start, flags: Flags): Promise<Started> {
  const args = [lab.dir, kubeconfig, "--v=2", ...argumentsOf(flags)];
  const started = start(join(lab.folder, "oracle"), args, { log: join(dir, "manager.log") });
  if (hasEnded(started)) throw new Error(started.output());
  return started;
}
