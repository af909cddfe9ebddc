import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../bench/contender.ts";
import { type Flags, type RunningController, startController } from "../harness/controller.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { setReady } from "../harness/nodes.ts";
import { SERVICES, type Service } from "../harness/service.ts";
import { demand, eventually } from "../harness/wait.ts";
import { BaselineCloud } from "./baseline-cloud.ts";

/** How the baseline's cloud is reached: by its plug-in in our process, or by its own Go provider in another one. */
export type Way = "plug-in" | "process";

/** A controller on the cluster with a cloud of its own. */
export interface Environment {
  readonly way: Way;
  readonly kube: Kube;
  readonly cloud: BaselineCloud;
  readonly nodes: View<Node>;
  readonly services: View<Service>;
  readonly controller: RunningController;
  /** The provider's program; of a plug-in there is none. */
  readonly program: string;
  close(): Promise<void>;
}

export interface EnvironmentOptions {
  readonly way: Way;
  readonly dir: string;
  readonly kubeconfig: string;
  /** The folder with the baseline's provider as an executable. */
  readonly providerFolder: string;
  readonly flags?: Flags;
}

const POD_RANGE = "10.240.0.0/13";
const TAINT = "node.cloudprovider.kubernetes.io/uninitialized";

export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const dir = join(options.dir, options.way);
  mkdirSync(dir, { recursive: true });
  const cloud = await BaselineCloud.open(dir);
  const config = join(dir, "cloud.json");
  writeFileSync(config, JSON.stringify({ url: cloud.url }));
  const kube = new Kube(options.kubeconfig);
  const controller = await startController({
    ...{ kubeconfig: options.kubeconfig, cloudConfig: config, dir },
    flags: {
      ...(await selection(options, dir)),
      "--cluster-cidr": POD_RANGE,
      "--node-monitor-period": "1s",
      "--leader-elect-lease-duration": "6s",
      "--leader-elect-renew-deadline": "4s",
      "--leader-elect-retry-period": "1s",
      ...options.flags,
    },
    env: { FAKECLOUD_URL: cloud.url },
  });
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const services = await View.open<Service>(kube, SERVICES);
  return {
    ...{ way: options.way, kube, cloud, nodes, services, controller },
    program: join(options.providerFolder, "cloudwright-provider-fakecloud"),
    close: async () => {
      nodes.close();
      services.close();
      await controller.stop();
      await kube.close();
      await cloud.close();
    },
  };
}

async function selection({ way, providerFolder }: EnvironmentOptions, dir: string): Promise<Flags> {
  if (way === "process")
    return { "--cloud-provider": "fakecloud", "--provider-path": providerFolder };
  const plugin = join(dir, "cloudwright-provider-baseline.mjs");
  await bundle("e2e/plugins/baseline/plugin.ts", plugin);
  return { "--cloud-provider": plugin };
}

/** Registers Nodes as kubelets do: ready, and waiting for the cloud. */
export async function register(env: Environment, names: readonly string[]): Promise<void> {
  const AT_ONCE = 25;
  for (let first = 0; first < names.length; first += AT_ONCE)
    await Promise.all(names.slice(first, first + AT_ONCE).map((name) => registerOne(env, name)));
}

async function registerOne({ kube }: Environment, name: string): Promise<void> {
  await kube.create("/api/v1/nodes", {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name } },
    spec: { taints: [{ key: TAINT, value: "true", effect: "NoSchedule" }] },
  });
  await setReady(kube, name, "True");
}

export async function initialised(env: Environment, names: readonly string[], withinMs = 60_000) {
  await eventually(
    () => {
      const waiting = names.filter((name) => isWaiting(env.nodes.get(name)));
      demand(
        waiting.length === 0,
        `${waiting.length} Nodes are not initialised, such as ${waiting[0]}`,
      );
    },
    { withinMs, on: env.nodes },
  );
}

function isWaiting(node: Node | undefined): boolean {
  return node === undefined || (node.spec.taints ?? []).some(({ key }) => key === TAINT);
}

export async function createService({ kube }: Environment, name: string): Promise<string> {
  const made = await kube.create<Service>(SERVICES, {
    ...{ apiVersion: "v1", kind: "Service", metadata: { name } },
    spec: { type: "LoadBalancer", ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  });
  return made.metadata.uid ?? "";
}

export function addressOf(service: Service | undefined): string | undefined {
  return service?.status.loadBalancer?.ingress?.[0]?.ip;
}
