import { loadKubeConfig } from "../../kube/access/kubeconfig.ts";
import { createKubeClient, type KubeConnection } from "../../kube/calls/kube-client.ts";
import { type KubeObject, NODES, type Node, type Resource } from "../../kube/client.ts";
import { startInformer } from "../../kube/informer/informer.ts";
import type { Informer } from "../../kube/informer/informer-port.ts";
import { systemClock, systemRandom } from "../../kube/system-clock.ts";
import { startTestCluster } from "../../kube/testing/test-cluster.ts";
import { NODE_INDEXES } from "../objects/node-object.ts";

/** A real API server, and the client and node informer of the loops. */
export interface RealCluster {
  readonly client: KubeConnection;
  readonly nodes: Informer<Node>;
  kubectl(...args: readonly string[]): Promise<string>;
  create<T extends KubeObject>(resource: Resource, object: T): Promise<T>;
  getNode(name: string): Promise<Node>;
  close(): Promise<void>;
}

export async function startRealCluster(folder: string): Promise<RealCluster> {
  const cluster = await startTestCluster(folder);
  const access = await loadKubeConfig({ kubeconfig: cluster.kubeconfig, clock: systemClock });
  const client = createKubeClient({
    access,
    qps: 0,
    burst: 1,
    clock: systemClock,
    userAgent: "cloudwright-test",
  });
  const ends = new AbortController();
  const nodes = startInformer<Node>({
    client,
    resource: NODES,
    indexes: NODE_INDEXES,
    clock: systemClock,
    random: systemRandom,
    signal: ends.signal,
  });
  await nodes.synced;
  return {
    client,
    nodes,
    kubectl: cluster.kubectl,
    create: (resource, object) => client.create({ resource, ...placeOf(object) }, object),
    getNode: (name) => client.get<Node>({ resource: NODES, name }),
    close: async () => {
      ends.abort();
      await client.close();
      await cluster.stop();
    },
  };
}

function placeOf({ metadata }: KubeObject): { readonly namespace?: string } {
  return metadata?.namespace === undefined ? {} : { namespace: metadata.namespace };
}
