import { t } from "@cloudwright/core/model/language/text";
import type { ClusterProcess, FleetFlag, FleetSettings } from "@cloudwright/store/views/fleet";
import { countOf } from "../../../platform/wording/action-title.ts";

/** `4 flags and the versions differ between 3 clusters.` */
export function compareSentence({ clusters, differing, same }: FleetSettings): string {
  const compared = clusters.filter(({ process }) => process !== undefined).length;
  if (compared < 2) return t`Fewer than two clusters have reported their flags.`;
  const all = countOf(compared, "cluster");
  const versions = differingVersions(clusters).size;
  if (differing.length === 0 && versions === 0)
    return t`All ${same} flags and the versions are the same in ${all}.`;
  const some = countOf(differing.length, "flag");
  const flags =
    differing.length === 1
      ? t`${some} of ${differing.length + same} differs between ${all}`
      : t`${some} of ${differing.length + same} differ between ${all}`;
  if (versions === 0) return t`${flags}; the versions are the same.`;
  return versions === 1
    ? t`${flags}, and ${countOf(versions, "cluster")} runs a different version from most.`
    : t`${flags}, and ${countOf(versions, "cluster")} run a different version from most.`;
}

/** Returns the clusters in which a process runs a different version than most of them, by id. */
export function differingVersions(clusters: readonly ClusterProcess[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { versions } of clusters) {
    for (const version of versions) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, left], [, right]) => right - left);
  const isOther = ({ versions }: ClusterProcess) =>
    versions.some((version) => version !== most?.[0]);
  return new Set(clusters.filter(isOther).map(({ cluster }) => cluster));
}

interface Differences {
  /** Some clusters have a different value than the others. */
  readonly some: readonly FleetFlag[];
  /** Each cluster has its own value, such as its name or a file, as it should be. */
  readonly own: readonly FleetFlag[];
}

/** With two clusters, neither of two values is the usual one. */
export function differencesOf({ clusters, differing }: FleetSettings): Differences {
  const compared = clusters.filter(({ process }) => process !== undefined).length;
  const isOwn = ({ values }: FleetFlag) => compared > 2 && values.length === compared;
  return { some: differing.filter((flag) => !isOwn(flag)), own: differing.filter(isOwn) };
}
