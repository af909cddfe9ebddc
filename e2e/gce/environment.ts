import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { providerKubeconfig } from "../conformance/clusters/provider-account.ts";
import { startController } from "../harness/controller.ts";
import { freePort } from "../harness/free-port.ts";
import { Kube, type Node, View } from "../harness/kube.ts";
import { SERVICES, type Service } from "../harness/service.ts";
import { demand, eventually } from "../harness/wait.ts";
import { FakeGce } from "./fake-cloud.ts";

/** A controller with the process of Google's provider, whose API is the fake that the provider's own tests use. */
export interface GceEnvironment {
  readonly kube: Kube;
  readonly cloud: FakeGce;
  readonly nodes: View<Node>;
  readonly services: View<Service>;
  close(): Promise<void>;
}

export interface GceOptions {
  readonly dir: string;
  readonly kubeconfig: string;
  /** The folder with the provider's process. */
  readonly providerFolder: string;
}

export async function openEnvironment(options: GceOptions): Promise<GceEnvironment> {
  const { dir, kubeconfig, providerFolder } = options;
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  const config = join(dir, "cloud.json");
  writeFileSync(config, JSON.stringify({ listen: `127.0.0.1:${port}` }));
  const kube = new Kube(kubeconfig);
  const files = ["rbac.yaml", "rbac-gce.yaml"];
  const ofProvider = await providerKubeconfig(kube, { files, kubeconfig, dir });
  const controller = await startController({
    ...{ kubeconfig, cloudConfig: config, dir },
    flags: {
      "--cloud-provider": "gcefake",
      "--provider-path": providerFolder,
      "--cluster-cidr": "10.240.0.0/13",
      "--node-monitor-period": "1s",
    },
    // It keeps the cluster's id in a ConfigMap, and reads Nodes.
    env: { CLOUDWRIGHT_PROVIDER_KUBECONFIG: ofProvider },
  });
  const cloud = new FakeGce(port);
  const nodes = await View.open<Node>(kube, "/api/v1/nodes");
  const services = await View.open<Service>(kube, SERVICES);
  const close = async () => {
    nodes.close();
    services.close();
    await controller.stop();
    await kube.close();
  };
  try {
    await eventually(() => cloud.state(), { withinMs: 60_000 });
  } catch (error) {
    await close();
    throw error;
  }
  return { kube, cloud, nodes, services, close };
}

const TAINT = "node.cloudprovider.kubernetes.io/uninitialized";

/** Registers a Node as its kubelet does, and waits until the cloud's facts are there. */
export async function joined(
  { kube, nodes }: GceEnvironment,
  name: string,
  podCIDR: string,
): Promise<Node> {
  await kube.create("/api/v1/nodes", {
    ...{ apiVersion: "v1", kind: "Node", metadata: { name } },
    spec: { podCIDR, podCIDRs: [podCIDR], taints: [{ key: TAINT, effect: "NoSchedule" }] },
  });
  return eventually(
    () => {
      const node = nodes.get(name);
      const taints = node?.spec.taints ?? [];
      demand(
        node !== undefined && taints.every(({ key }) => key !== TAINT),
        `${name} is not initialised`,
      );
      return node;
    },
    { withinMs: 60_000, on: nodes },
  );
}
