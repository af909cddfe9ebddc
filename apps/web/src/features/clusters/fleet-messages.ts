import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import type { CauseInCluster, SharedCause } from "@cloudwright/store/views/fleet";
import { addresses } from "../../components/url/addresses.ts";
import { clusterSilence, countNeeds } from "../../platform/live/cluster-state.ts";
import { countOf, listed } from "../../platform/wording/action-title.ts";
import { countsByKind } from "../../platform/wording/kind-words.ts";

/** `2 of 5 clusters need you. The state of 1 is unknown.` `readAt`: by the server's clock. */
export function fleetSentence(clusters: readonly ClusterView[], readAt: number): string {
  const unknown = clusters.filter((each) => clusterSilence(each, readAt) !== undefined);
  const known = clusters.filter((each) => !unknown.includes(each));
  const needing = known.filter((each) => countNeeds(each) > 0).length;
  const all = countOf(clusters.length, "cluster");
  const unknownPart =
    unknown.length === 0 ? "" : ` ${t`The state of ${unknown.length} is unknown.`}`;
  if (needing > 0) return `${needingSentence(needing, all)}${unknownPart}`;
  if (known.length === 0) {
    return clusters.length === 1
      ? t`The state of ${all} is unknown.`
      : t`The state of all ${all} is unknown.`;
  }
  if (unknown.length > 0) {
    return `${t`Nothing needs you in the ${known.length} that report.`}${unknownPart}`;
  }
  return clusters.length === 1
    ? t`Nothing needs you in the one cluster.`
    : t`Nothing needs you in any of the ${all}.`;
}

function needingSentence(needing: number, all: string): string {
  return needing === 1 ? t`${needing} of ${all} needs you.` : t`${needing} of ${all} need you.`;
}

/** `Same cause in 4 clusters: 9 nodes and 2 load balancers`. */
export function causeTitle({ clusters }: Pick<SharedCause, "clusters">): string {
  const kinds: Record<string, number> = {};
  for (const { kinds: own } of clusters) {
    for (const [kind, count] of Object.entries(own)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  return t`Same cause in ${countOf(clusters.length, "cluster")}: ${kindsText(kinds)}`;
}

export function kindsText(kinds: Readonly<Record<string, number>>): string {
  return listed(countsByKind(kinds));
}

const LISTS: Readonly<Record<string, (cluster: string) => string>> = {
  Node: addresses.nodes,
  Service: addresses.balancers,
  PersistentVolume: addresses.volumes,
};

/** Returns the list of all objects with this cause, if they are of one kind that has a list. */
export function causeListAddress(
  { cluster, kinds }: Pick<CauseInCluster, "cluster" | "kinds">,
  { kind, code }: Pick<SharedCause, "kind" | "code">,
): string | undefined {
  const [first, ...others] = Object.keys(kinds);
  const list = first === undefined || others.length > 0 ? undefined : LISTS[first];
  return list === undefined
    ? undefined
    : `${list(cluster)}?state=${kind}&reason=${encodeURIComponent(code)}`;
}
