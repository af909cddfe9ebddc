import { STATES, type State } from "@cloudwright/core/model/state";
import { ALARMED_KINDS } from "@cloudwright/store/health-views";
import { PROBLEM_KINDS } from "@cloudwright/store/overview-views";
import type { ClusterView } from "@cloudwright/store/views";
import { alarmsSentence } from "../health/health-words.ts";
import { needsSentence, wellSentence } from "../overview/overview-words.ts";

const SILENT_MS = 30_000;

/** The state of a cluster is that of the worst that is in it; one that no longer reports is unknown, never OK. */
export function clusterState(cluster: ClusterView, now: number): State {
  if (now - cluster.lastHeardAt > SILENT_MS || cluster.leader === undefined) return "unknown";
  const { nodes, balancers, volumes } = cluster;
  if (PROBLEM_KINDS.some((kind) => cluster.health.needs[kind] > 0)) return "stuck";
  const count = (state: State) => nodes[state] + balancers.states[state] + volumes.states[state];
  return STATES.find((state) => state !== "gone" && count(state) > 0) ?? "ok";
}

/** What befell many in it and what needs a person, in the Overview's words; else how well it is. */
export function clusterSentence(cluster: ClusterView, now: number): string {
  const { health } = cluster;
  const alarms = alarmsSentence(health, { now, kinds: ALARMED_KINDS });
  const found = needsSentence(health.needs) ?? wellSentence(cluster);
  return alarms === "" ? found : `${alarms} ${found}`;
}

export function worstClusterFirst(
  clusters: readonly ClusterView[],
  now: number,
): readonly ClusterView[] {
  const rank = (cluster: ClusterView) => STATES.indexOf(clusterState(cluster, now));
  return [...clusters].sort((left, right) => rank(left) - rank(right));
}
