"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { NodeRow, NodeSort } from "@cloudwright/store/views/views";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import {
  driftColumn,
  lastRunColumn,
  leadingColumns,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";

/** The columns of the Nodes page (UX brief, section 5). */
export function nodeColumns(cluster: string): readonly Column<NodeRow, NodeSort>[] {
  return [
    ...leadingColumns<NodeRow>({
      ...{ id: "name", header: "Name", width: 170 },
      href: ({ name }) => addresses.node(cluster, name),
    }),
    column(
      ["init", "Init time", 96, { sort: "init", align: "end", value: ({ initMs }) => initMs }],
      ({ initMs }) => (initMs === undefined ? <Nothing /> : formatDuration(initMs)),
    ),
    ...placeColumns(),
    driftColumn(),
    lastRunColumn(cluster),
  ];
}

function placeColumns(): readonly Column<NodeRow, NodeSort>[] {
  return [
    textColumn(["zone", "Zone", 90, { sort: "zone" }], ({ zone }) => zone, { isNews: true }),
    textColumn(["type", "Type", 104, { sort: "type" }], ({ instanceType }) => instanceType, {
      isNews: true,
    }),
    textColumn(["address", "Addresses", 150], addressesText, { isCode: true, isNews: true }),
    textColumn(["provider", "Provider ID", 210], ({ providerID }) => providerID, {
      isCode: true,
      isNews: true,
    }),
  ];
}

function addressesText({ addresses: all }: NodeRow): string {
  return all
    .filter(({ type }) => type.endsWith("IP"))
    .map(({ address }) => address)
    .join(", ");
}
