import type { ClusterProcess, FleetSettings } from "@cloudwright/store/views/fleet";
import { type Field, field } from "../../../components/table/field.ts";

/** A setting of one cluster: its version, or a flag that is not the same in all clusters. */
export interface ComparedRow {
  readonly cluster: Pick<ClusterProcess, "cluster" | "name">;
  readonly name: string;
  /** Undefined if it is not known. */
  readonly value: string | undefined;
  readonly initial: string | undefined;
}

/** Returns versions first, then the flags in the page's order. */
export function comparedRows({
  clusters,
  differing,
}: Pick<FleetSettings, "clusters" | "differing">): readonly ComparedRow[] {
  const versions = clusters.map((cluster) => ({
    ...{ cluster, name: "version", initial: undefined },
    value: cluster.versions.length === 0 ? undefined : cluster.versions.join(", "),
  }));
  const flags = differing.flatMap(({ name, initial, values }) =>
    clusters.flatMap((cluster) => {
      const own = values.find((each) => each.clusters.includes(cluster.cluster));
      return own === undefined ? [] : [{ cluster, name: `--${name}`, value: own.value, initial }];
    }),
  );
  return [...versions, ...flags];
}

/** The fields of the export of the comparison. */
export const COMPARED_FIELDS: readonly Field<ComparedRow>[] = [
  field("name", "Flag", ({ name }) => name),
  field("cluster", "Cluster", ({ cluster }) => cluster.name),
  field("clusterId", "Cluster id", ({ cluster }) => cluster.cluster),
  field("value", "Value", ({ value }) => value),
  field("initial", "Default", ({ initial }) => initial),
];
