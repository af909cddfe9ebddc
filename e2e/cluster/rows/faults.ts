import { demand, eventually, same } from "../../harness/wait.ts";
import type { ClusterEnvironment, Row } from "../environment.ts";
import { NAMESPACE } from "../environment.ts";
import { demandReady, leader, leaderPod } from "../pods.ts";
import { answers } from "./work.ts";

const SHUTDOWN = "node.cloudprovider.kubernetes.io/shutdown";
/** The machine that stops and goes; nothing of the release has to run on it alone. */
const LOST = 1;

export const faultRows: readonly Row[] = [
  {
    id: "I-10",
    title: "the leader's pod is killed: the other replica leads, and the killed one comes back",
    run: async (env) => {
      const before = await leader(env);
      const pod = await leaderPod(env);
      const began = Date.now();
      const path = `/api/v1/namespaces/${NAMESPACE}/pods/${pod.metadata.name}?gracePeriodSeconds=0`;
      await env.kube.delete(path);
      await eventually(
        async () => {
          const now = await leader(env);
          demand(now !== "" && now !== before, `the Lease is held by ${now}`);
        },
        { withinMs: 60_000 },
      );
      const took = Date.now() - began;
      await eventually(() => demandReady(env, "controller", 2), { withinMs: 90_000 });
      return `another leads after ${(took / 1_000).toFixed(1)} s`;
    },
  },
];

/** Last before the removal: the cluster has one node less after them. */
export const machineRows: readonly Row[] = [
  {
    id: "I-13",
    title: "a machine that is stopped in the cloud gives its node the shutdown taint",
    run: async (env) => {
      const { name, kubelet } = lost(env);
      // A machine that is off has no kubelet.
      process.kill(kubelet, "SIGSTOP");
      await env.cloud.stop(name);
      const began = Date.now();
      await eventually(() => demand(hasShutdownTaint(env, name), `${name} has no shutdown taint`), {
        withinMs: 90_000,
        on: env.nodes,
      });
      return `after ${((Date.now() - began) / 1_000).toFixed(0)} s`;
    },
  },
  {
    id: "I-14",
    title: "a machine that is deleted in the cloud takes its node with it",
    run: async (env) => {
      const { name } = lost(env);
      const began = Date.now();
      await env.cloud.remove(name);
      await eventually(() => same(env.nodes.get(name), undefined, `the node ${name}`), {
        withinMs: 90_000,
        on: env.nodes,
      });
      const took = Date.now() - began;
      const [left] = env.status.nodes;
      const service = await env.kubectl(
        "get",
        "service",
        "web",
        "-o",
        "jsonpath={.spec.ports[0].nodePort}",
      );
      // Its pods go only once the cluster's garbage collection finds that their node is gone.
      await eventually(() => answers(`${left?.ip}:${service}`), { withinMs: 120_000 });
      return `after ${(took / 1_000).toFixed(0)} s`;
    },
  },
];

function lost({ status }: ClusterEnvironment) {
  const node = status.nodes[LOST];
  const kubelet = node?.pids.kubelet;
  if (node === undefined || kubelet === undefined) throw new Error("the lab has no second node");
  return { name: node.name, kubelet };
}

function hasShutdownTaint({ nodes }: ClusterEnvironment, name: string): boolean {
  return nodes.get(name)?.spec.taints?.some(({ key }) => key === SHUTDOWN) === true;
}
