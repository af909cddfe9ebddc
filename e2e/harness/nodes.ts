import type { Kube } from "./kube.ts";

/** Sets the Ready condition as the Node's kubelet would, or as upstream does for an unresponsive one. */
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
