import type { ClusterHealth, Coverage } from "@cloudwright/store/views/health";
import { NO_HEALTH } from "../platform/wording/health-messages.ts";

/** Returns the health of a cluster with this coverage of its nodes. */
export function healthWith(nodes: Partial<Coverage>): ClusterHealth {
  const { coverage } = NO_HEALTH;
  return { ...NO_HEALTH, coverage: { ...coverage, Node: { ...coverage.Node, ...nodes } } };
}
