import { clusterFailure } from "@cloudwright/core/model/freshness/freshness";
import { STATES, type State } from "@cloudwright/core/model/state";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { alarmsSentence, isWhole } from "../wording/health-messages.ts";
import { needsSentence, wellSentence } from "../wording/overview-messages.ts";
import { clusterFacts } from "./cluster-facts.ts";

/**
 * Returns the worst state of anything in the cluster. A cluster without current data is unknown, and one in which not everything has
 * reported is working, never OK. `readAt` is the time of reading by the server's clock.
 */
export function clusterState(cluster: ClusterView, readAt: number): State {
  if (clusterSilence(cluster, readAt) !== undefined) return "unknown";
  const { nodes, balancers: loadBalancers, volumes } = cluster;
  if (Object.values(cluster.health.needs.stuck).some((count) => count > 0)) return "stuck";
  const count = (state: State) =>
    nodes[state] + loadBalancers.states[state] + volumes.states[state];
  const worst = STATES.find((state) => state !== "gone" && count(state) > 0) ?? "ok";
  return worst === "ok" && !isWhole(cluster.health) ? "working" : worst;
}

/**
 * Returns since when the cluster lacks current data, because it has no leader, or one that has not reported or receives nothing itself. By
 * the server's clock; undefined while everything is current.
 */
export function clusterSilence(cluster: ClusterView, readAt: number): number | undefined {
  const failure = clusterFailure(clusterFacts(cluster, 0), { readAt, now: readAt });
  if (failure === undefined || failure.link === "cloud") return undefined;
  return failure.since ?? cluster.lastHeardAt;
}

/** Returns what affects many objects and what needs a user, in the Overview's words; otherwise how healthy it is. */
export function clusterSentence(cluster: ClusterView, now: number): string {
  const { health } = cluster;
  const alarms = alarmsSentence(health, { now });
  const found = needsSentence(health.needs) ?? wellSentence(cluster);
  return alarms === "" ? found : `${alarms} ${found}`;
}

/** Within a state, clusters with more that needs a user come first; ties keep their order. */
export function worstClusterFirst(
  clusters: readonly ClusterView[],
  readAt: number,
): readonly ClusterView[] {
  const rank = (cluster: ClusterView) => STATES.indexOf(clusterState(cluster, readAt));
  return [...clusters].sort(
    (left, right) => rank(left) - rank(right) || countNeeds(right) - countNeeds(left),
  );
}

/** Returns how many of its objects and deletions need a user. */
export function countNeeds({ health: { needs } }: Pick<ClusterView, "health">): number {
  return Object.values(needs.stuck).reduce((sum, count) => sum + count, needs.held);
}
