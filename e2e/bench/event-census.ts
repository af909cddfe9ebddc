import { Kube, type KubeEvent } from "../harness/kube.ts";

/** Prints how many nodes have at least one Event in the cluster of `KUBECONFIG`. */
const kube = new Kube(process.env.KUBECONFIG ?? "");
const { items } = await kube.list<KubeEvent>("/api/v1/events");
const nodes = new Set(
  items
    .filter(({ involvedObject }) => involvedObject.kind === "Node")
    .map(({ involvedObject }) => involvedObject.name),
);
console.log(JSON.stringify({ nodesWithEvent: nodes.size }));
await kube.close();
