"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterProcess, FlagInClusters, FleetFlag } from "@cloudwright/store/views/fleet";
import { countOf } from "../../../platform/wording/action-title.ts";
import styles from "./compare.module.css";

/** Flags with their values: the most common value first, then each other value with the clusters that have it. */
export function DifferencesTable({
  caption,
  flags,
  clusters,
}: {
  readonly caption: string;
  readonly flags: readonly FleetFlag[];
  readonly clusters: readonly ClusterProcess[];
}) {
  const names = new Map(clusters.map(({ cluster, name }) => [cluster, name]));
  return (
    <table className={styles.flags}>
      <caption className="start small quiet">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Flag`}</th>
          <th scope="col">{t`Values`}</th>
          <th scope="col">{t`Default`}</th>
          <th scope="col">{t`What it is`}</th>
        </tr>
      </thead>
      <tbody>
        {flags.map((flag) => (
          <FlagRow key={flag.name} flag={flag} names={names} />
        ))}
      </tbody>
    </table>
  );
}

type Names = ReadonlyMap<string, string>;

function FlagRow({
  flag: { name, values, initial, help },
  names,
}: {
  readonly flag: FleetFlag;
  readonly names: Names;
}) {
  return (
    <tr>
      <th scope="row">
        <code>--{name}</code>
      </th>
      <td data-header={t`Values`}>
        <ul className="stack">
          {values.map((each) => (
            <Value
              key={each.value ?? ""}
              value={each}
              isUsual={isUsual(each, values)}
              names={names}
            />
          ))}
        </ul>
      </td>
      <td data-header={t`Default`}>
        <code>{initial === "" ? t`none` : initial}</code>
      </td>
      <td className="second">{help}</td>
    </tr>
  );
}

/** Reports whether more clusters have this value than any other. */
function isUsual({ clusters }: FlagInClusters, values: readonly FlagInClusters[]): boolean {
  const others = values.filter((value) => value.clusters !== clusters);
  return others.every((other) => other.clusters.length < clusters.length);
}

function Value({
  value: { value, clusters },
  isUsual: isMost,
  names,
}: {
  readonly value: FlagInClusters;
  readonly isUsual: boolean;
  readonly names: Names;
}) {
  const named = clusters.map((id) => names.get(id) ?? id).join(", ");
  return (
    <li className={isMost ? "" : styles.other}>
      {value === undefined ? (
        <span className="quiet">{t`not a flag of its version`}</span>
      ) : value === "" ? (
        <span className="quiet">{t`empty`}</span>
      ) : (
        <code>{value}</code>
      )}
      <span className="block small quiet" title={named}>
        {isMost && clusters.length > 2 ? countOf(clusters.length, "cluster") : named}
      </span>
    </li>
  );
}
