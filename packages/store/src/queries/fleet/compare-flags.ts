import type { FlagSetting } from "@cloudwright/core/model/records/settings-record";
import type { FlagInClusters, FleetFlag, FleetSettings } from "../../views/fleet.ts";

/** The flags that one cluster runs with. */
export interface ClusterFlags {
  readonly cluster: string;
  readonly flags: readonly FlagSetting[];
}

/** Returns which flags differ between clusters. With fewer than two clusters there is nothing to compare. */
export function compareFleetFlags(
  clusters: readonly ClusterFlags[],
): Pick<FleetSettings, "differing" | "same"> {
  const settings = new Map<string, FlagSetting>();
  for (const { flags } of clusters) {
    for (const flag of flags) if (!settings.has(flag.name)) settings.set(flag.name, flag);
  }
  const compared = [...settings.values()].map((flag) => comparedFlag(flag, clusters));
  const differing = compared.filter(({ values }) => values.length > 1);
  return { differing, same: compared.length - differing.length };
}

function comparedFlag(
  { name, section, initial, help }: FlagSetting,
  clusters: readonly ClusterFlags[],
): FleetFlag {
  const byValue = new Map<string | undefined, string[]>();
  for (const { cluster, flags } of clusters) {
    const value = flags.find((flag) => flag.name === name)?.value;
    byValue.set(value, [...(byValue.get(value) ?? []), cluster]);
  }
  const values = [...byValue]
    .map(([value, of]): FlagInClusters => ({ value, clusters: of }))
    .toSorted((left, right) => right.clusters.length - left.clusters.length);
  return { ...{ name, section, initial, help }, values };
}
