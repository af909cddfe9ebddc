const OURS: Readonly<Record<string, string>> = {
  "node.cloudprovider.kubernetes.io/uninitialized": "ours",
  "node.cloudprovider.kubernetes.io/shutdown": "ours",
};

const OTHERS: readonly (readonly [prefix: string, owner: string])[] = [
  ["node.cluster.x-k8s.io/", "Cluster API, not ours"],
  ["node.kubernetes.io/", "Kubernetes, not ours"],
  ["node-role.kubernetes.io/", "the cluster's roles, not ours"],
  ["ToBeDeletedByClusterAutoscaler", "the autoscaler, not ours"],
  ["DeletionCandidateOfClusterAutoscaler", "the autoscaler, not ours"],
];

/** Who sets and removes a taint, as far as its key tells. */
export function taintOwner(key: string): string {
  const other = OTHERS.find(([prefix]) => key.startsWith(prefix));
  return OURS[key] ?? other?.[1] ?? "not ours";
}
