import type { KubeObject } from "../harness/kube.ts";
import { demand } from "../harness/wait.ts";
import { type ClusterEnvironment, NAMESPACE } from "./environment.ts";

export interface Pod extends KubeObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly {
      readonly name: string;
      readonly image: string;
      readonly args?: readonly string[];
    }[];
  };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
      readonly lastTransitionTime: string;
    }[];
  };
}

export type Component = "controller" | "dashboard" | "database" | "migrate";

export async function podsOf(env: ClusterEnvironment, component: Component): Promise<Pod[]> {
  const label = `app.kubernetes.io%2Fcomponent%3D${component}`;
  const path = `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${label}`;
  return (await env.kube.list<Pod>(path)).items;
}

/** When a condition of the pod came true, milliseconds since the epoch; undefined while it has not. */
export function since(pod: Pod, type: "PodScheduled" | "Ready"): number | undefined {
  const found = pod.status.conditions?.find((each) => each.type === type && each.status === "True");
  return found === undefined ? undefined : Date.parse(found.lastTransitionTime);
}

/** Throws NotYet until so many pods of it are ready, and no more are there. */
export async function demandReady(env: ClusterEnvironment, component: Component, count: number) {
  const pods = await podsOf(env, component);
  const ready = pods.filter((pod) => since(pod, "Ready") !== undefined);
  const shown = pods.map(({ metadata, status }) => `${metadata.name} ${status.phase}`).join(", ");
  demand(ready.length === count && pods.length === count, `${component}: ${shown || "no pod"}`);
  return pods;
}

/** Who holds the Lease: a node's name, then the process. */
export async function leader(env: ClusterEnvironment): Promise<string> {
  const path =
    "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager";
  const lease = await env.kube.get<KubeObject & { spec: { holderIdentity?: string } }>(path);
  return lease.spec.holderIdentity ?? "";
}

/** The pod in which the leader runs. */
export async function leaderPod(env: ClusterEnvironment): Promise<Pod> {
  const holder = await leader(env);
  const pod = (await podsOf(env, "controller")).find(
    ({ spec }) => spec.nodeName !== undefined && holder.startsWith(`${spec.nodeName}_`),
  );
  demand(pod !== undefined, `no controller's pod is where the Lease's holder ${holder} is`);
  return pod;
}
