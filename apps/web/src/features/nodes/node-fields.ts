import type { NodeRow } from "@cloudwright/store/views/views";
import { type Field, field } from "../../components/table/field.ts";
import { leadingFields, trailingFields } from "../../components/table/record-fields.ts";
import { addressesText } from "./node-addresses.ts";

/** The fields of the export of nodes: the page's columns and more. */
export const NODE_FIELDS: readonly Field<NodeRow>[] = [
  ...leadingFields({ id: "name", header: "Name" }),
  field("init", "Init time (ms)", ({ initMs }) => initMs),
  field("zone", "Zone", ({ zone }) => zone),
  field("type", "Type", ({ instanceType }) => instanceType),
  field("address", "Addresses", addressesText),
  field("provider", "Provider ID", ({ providerID }) => providerID),
  ...trailingFields(),
];
