import { clusterFailure } from "@cloudwright/core/model/freshness/freshness";
import { STATES, type State } from "@cloudwright/core/model/state";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { alarmsSentence, isWhole } from "../wording/health-messages.ts";
import { needsSentence, wellSentence } from "../wording/overview-messages.ts";
import { clusterFacts } from "./cluster-facts.ts";

/**
 * The state of a cluster is that of the worst that is in it; one of which the newest is not known is unknown, and one of which not
 * everything has reported is at work, never OK. `readAt` is when it was read, by the server's clock.
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
 * Since when the newest of it is not known, because it has no leader, or one that has not reported or receives nothing itself.
 * By the server's clock; undefined while all of it is known.
 */
export function clusterSilence(cluster: ClusterView, readAt: number): number | undefined {
  const failure = clusterFailure(clusterFacts(cluster, 0), { readAt, now: readAt });
  if (failure === undefined || failure.link === "cloud") return undefined;
  return failure.since ?? cluster.lastHeardAt;
}

/** What befell many in it and what needs a user, in the Overview's words; else how well it is. */
export function clusterSentence(cluster: ClusterView, now: number): string {
  const { health } = cluster;
  const alarms = alarmsSentence(health, { now });
  const found = needsSentence(health.needs) ?? wellSentence(cluster);
  return alarms === "" ? found : `${alarms} ${found}`;
}

/** Among those of the same state the one with more that needs a user; else in the order in which they come. */
export function worstClusterFirst(
  clusters: readonly ClusterView[],
  readAt: number,
): readonly ClusterView[] {
  const rank = (cluster: ClusterView) => STATES.indexOf(clusterState(cluster, readAt));
  return [...clusters].sort(
    (left, right) => rank(left) - rank(right) || countNeeds(right) - countNeeds(left),
  );
}

/** How many objects and deletions of it need a user. */
export function countNeeds({ health: { needs } }: Pick<ClusterView, "health">): number {
  return Object.values(needs.stuck).reduce((sum, count) => sum + count, needs.held);
}
