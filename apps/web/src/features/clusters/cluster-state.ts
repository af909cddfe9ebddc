import { heldCount } from "@cloudwright/core/model/controls";
import { STATES, type State } from "@cloudwright/core/model/state";
import { PROBLEM_KINDS, type ProblemKind } from "@cloudwright/store/overview-views";
import type { ClusterView } from "@cloudwright/store/views";
import { needsSentence, wellSentence } from "../overview/overview-words.ts";

const SILENT_MS = 30_000;

/** The state of a cluster is that of the worst that is in it; one that no longer reports is unknown, never OK. */
export function clusterState(cluster: ClusterView, now: number): State {
  if (now - cluster.lastHeardAt > SILENT_MS || cluster.leader === undefined) return "unknown";
  const { nodes, balancers, volumes } = cluster;
  if (PROBLEM_KINDS.some((kind) => stuckOf(cluster, kind) > 0)) return "stuck";
  const count = (state: State) => nodes[state] + balancers.states[state] + volumes.states[state];
  return STATES.find((state) => state !== "gone" && count(state) > 0) ?? "ok";
}

/** What needs a person in it, in the Overview's words; else how well it is. */
export function clusterSentence(cluster: ClusterView): string {
  const guard = cluster.leader?.controls?.guard;
  const needs = needsSentence({
    stuck: (kind) => stuckOf(cluster, kind),
    held: guard === undefined ? 0 : heldCount(guard),
  });
  return needs ?? wellSentence(cluster);
}

function stuckOf({ nodes, balancers, routes, volumes }: ClusterView, kind: ProblemKind): number {
  switch (kind) {
    case "Node":
      return nodes.stuck;
    case "Service":
      return balancers.states.stuck;
    case "LoadBalancer":
      return balancers.orphansStuck;
    case "Route":
      return routes.staleStuck;
    case "RouteTable":
      return routes.tablesStuck;
    case "PersistentVolume":
      return volumes.states.stuck;
  }
}

export function worstClusterFirst(
  clusters: readonly ClusterView[],
  now: number,
): readonly ClusterView[] {
  const rank = (cluster: ClusterView) => STATES.indexOf(clusterState(cluster, now));
  return [...clusters].sort((left, right) => rank(left) - rank(right));
}
