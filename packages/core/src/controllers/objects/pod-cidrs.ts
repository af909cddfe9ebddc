import type { Node } from "../../kube/client.ts";

/** Returns the node's pod ranges as the API server has them; none until they are set. */
export function podCidrsOf(node: Node): readonly string[] {
  const { podCIDR = "", podCIDRs = [] } = node.spec ?? {};
  if (podCIDRs.length > 0) return podCIDRs;
  return podCIDR === "" ? [] : [podCIDR];
}
