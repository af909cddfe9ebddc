import { cause as causeText } from "@cloudwright/core/model/sentence";
import type { CauseInCluster, SharedCause } from "@cloudwright/store/views/fleet";
import { type Field, field, isoTime, timeField } from "../../components/table/field.ts";
import { kindsText } from "./fleet-messages.ts";

/** One cluster's share of a cause. */
export interface CauseRow {
  readonly cause: SharedCause;
  readonly place: CauseInCluster;
}

export function causeRows(causes: readonly SharedCause[]): readonly CauseRow[] {
  return causes.flatMap((cause) => cause.clusters.map((place) => ({ cause, place })));
}

/** The fields of the export of shared causes: a row for each cause and cluster. */
export const CAUSE_FIELDS: readonly Field<CauseRow>[] = [
  field("code", "Reason", ({ cause }) => cause.code),
  field("kind", "State", ({ cause }) => (cause.kind === "held" ? "Held" : "Stuck")),
  field("cluster", "Cluster", ({ place }) => place.name),
  field("clusterId", "Cluster id", ({ place }) => place.cluster),
  field("count", "Objects", ({ place }) => place.count),
  field("kinds", "Of which kinds", ({ place }) => kindsText(place.kinds)),
  timeField("since", "Since", ({ place }) => place.since),
  field("oldest", "The oldest ones", ({ place }) =>
    place.members.map(({ name }) => name).join(", "),
  ),
  field("why", "Why", ({ place: { members } }) => {
    const [oldest] = members;
    return oldest === undefined ? undefined : causeText(oldest.reason, isoTime);
  }),
];
