import type { ClusterView } from "@cloudwright/store/views/clusters";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { type Field, field, timeField } from "../../components/table/field.ts";
import { clusterSentence, clusterState } from "../../platform/live/cluster-state.ts";

/** A cluster with the time at which it was read. */
export interface ReadCluster {
  readonly cluster: ClusterView;
  readonly readAt: number;
}

/** The fields of the export of clusters: each with the page's sentence and its leader. */
export const CLUSTER_FIELDS: readonly Field<ReadCluster>[] = [
  field("name", "Cluster", ({ cluster }) => cluster.name),
  field("id", "Cluster id", ({ cluster }) => cluster.id),
  field("state", "State", ({ cluster, readAt }) => {
    return STATE_PRESENTATION[clusterState(cluster, readAt)].label;
  }),
  field("sentence", "Sentence", ({ cluster, readAt }) => clusterSentence(cluster, readAt)),
  field("provider", "Cloud provider", ({ cluster }) => cluster.provider),
  field("leader", "Leader", ({ cluster }) => cluster.leader?.identity),
  field("version", "Version", ({ cluster }) => cluster.leader?.version),
  field("lag", "Lag (ms)", ({ cluster }) => cluster.leader?.ledgerLagMs),
  timeField("heard", "Last record", ({ cluster }) => cluster.lastHeardAt),
];
