import { STATES, type State } from "@cloudwright/core/model/state";
import type { ClusterView } from "@cloudwright/store/views";

const SILENT_MS = 30_000;

/** The state of a cluster is that of its worst node, load balancer or volume; one that no longer reports is unknown, never OK. */
export function clusterState(cluster: ClusterView, now: number): State {
  if (now - cluster.lastHeardAt > SILENT_MS || cluster.leader === undefined) return "unknown";
  const { nodes, balancers, volumes } = cluster;
  const count = (state: State) => nodes[state] + balancers.states[state] + volumes.states[state];
  return STATES.find((state) => state !== "gone" && count(state) > 0) ?? "ok";
}

export function worstClusterFirst(
  clusters: readonly ClusterView[],
  now: number,
): readonly ClusterView[] {
  const rank = (cluster: ClusterView) => STATES.indexOf(clusterState(cluster, now));
  return [...clusters].sort((left, right) => rank(left) - rank(right));
}
