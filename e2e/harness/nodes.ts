import type { Kube } from "./kube.ts";

/** As the Node's kubelet says that it runs, or as upstream says of one that is silent. */
export async function setReady(kube: Kube, name: string, status: "True" | "Unknown") {
  const condition = {
    ...{ type: "Ready", status, reason: "KubeletReady", message: "" },
    lastHeartbeatTime: new Date().toISOString(),
    lastTransitionTime: new Date().toISOString(),
  };
  await kube.patch(`/api/v1/nodes/${name}/status`, "strategic", {
    status: { conditions: [condition] },
  });
}
