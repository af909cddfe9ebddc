import type { VolumeRow } from "@cloudwright/store/views/volumes";
import { type Field, field } from "../../components/table/field.ts";
import { leadingFields, trailingFields } from "../../components/table/record-fields.ts";
import { labelPair, sizeText } from "./volume-messages.ts";

/** The fields of the export of volumes: the page's columns and more. */
export const VOLUME_FIELDS: readonly Field<VolumeRow>[] = [
  ...leadingFields({ id: "name", header: "Volume" }),
  field("zone", "Zone", (row) => labelOf(row, "zone")?.has),
  field("zoneWanted", "Zone wanted", (row) => labelOf(row, "zone")?.wanted),
  field("region", "Region", (row) => labelOf(row, "region")?.has),
  field("regionWanted", "Region wanted", (row) => labelOf(row, "region")?.wanted),
  field("claim", "Claim", ({ detail }) => detail?.claim),
  field("size", "Size", ({ detail }) => detail && sizeText(detail)),
  field("disk", "Disk", ({ providerID }) => providerID),
  ...trailingFields(),
];

function labelOf({ detail }: VolumeRow, label: "zone" | "region") {
  return detail && labelPair(detail.labels, label);
}
