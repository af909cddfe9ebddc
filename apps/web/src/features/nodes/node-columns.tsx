"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { NodeRow, NodeSort } from "@cloudwright/store/views/views";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
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
    {
      id: "init",
      header: "Init time",
      width: 96,
      sort: "init",
      align: "end",
      value: ({ initMs }) => initMs,
      cell: ({ initMs }) => (initMs === undefined ? <Nothing /> : formatDuration(initMs)),
    },
    ...placeColumns(),
    driftColumn(),
    lastRunColumn(cluster),
  ];
}

function placeColumns(): readonly Column<NodeRow, NodeSort>[] {
  return [
    {
      id: "zone",
      header: "Zone",
      width: 90,
      sort: "zone",
      value: ({ zone }) => zone,
      cell: ({ zone }) => zone ?? <Nothing />,
    },
    {
      id: "type",
      header: "Type",
      width: 104,
      sort: "type",
      value: ({ instanceType }) => instanceType,
      cell: ({ instanceType }) => instanceType ?? <Nothing />,
    },
    {
      id: "address",
      header: "Addresses",
      width: 150,
      value: addressesText,
      cell: (row) => {
        const text = addressesText(row);
        return text === "" ? <Nothing /> : <code title={text}>{text}</code>;
      },
    },
    {
      id: "provider",
      header: "Provider ID",
      width: 210,
      value: ({ providerID }) => providerID,
      cell: ({ providerID }) =>
        providerID === undefined ? <Nothing /> : <code title={providerID}>{providerID}</code>,
    },
  ];
}

function addressesText({ addresses: all }: NodeRow): string {
  return all
    .filter(({ type }) => type.endsWith("IP"))
    .map(({ address }) => address)
    .join(", ");
}
