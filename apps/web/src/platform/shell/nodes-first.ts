import type { ClusterView } from "@cloudwright/store/views/clusters";
import { addresses } from "../../components/url/addresses.ts";
import { FAULTS } from "../lists/list-view.ts";
import { badgesOf, NO_HEALTH } from "../wording/health-messages.ts";

/**
 * Returns where "Nodes" leads: to those that need a user while there are any, otherwise to all (UX brief, section 5). The address says so,
 * the filters show it, and one of their buttons clears them.
 */
export function nodesFirst(cluster: string, view: Pick<ClusterView, "health"> | undefined): string {
  const { needs } = view?.health ?? NO_HEALTH;
  if (badgesOf(needs).nodes === 0) return addresses.nodes(cluster);
  const states = needs.held === 0 ? FAULTS : [...FAULTS, "held"];
  return addresses.nodes(cluster, `?state=${states.join(",")}`);
}
