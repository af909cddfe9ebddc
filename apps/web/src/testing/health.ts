import type { ClusterHealth, Coverage } from "@cloudwright/store/views/health";
import { NO_HEALTH } from "../platform/wording/health-messages.ts";

/** The health of a cluster of which so much of the nodes is known. */
export function healthWith(nodes: Partial<Coverage>): ClusterHealth {
  const { coverage } = NO_HEALTH;
  return { ...NO_HEALTH, coverage: { ...coverage, Node: { ...coverage.Node, ...nodes } } };
}
