import type { Node } from "../../kube/client.ts";

/** The node's pod ranges as the API server has them; none while nobody has given it any. */
export function podCidrsOf(node: Node): readonly string[] {
  const { podCIDR = "", podCIDRs = [] } = node.spec ?? {};
  if (podCIDRs.length > 0) return podCIDRs;
  return podCIDR === "" ? [] : [podCIDR];
}
