"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { NodeRow, NodeSort } from "@cloudwright/store/views";
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
      cell: ({ zone }) => zone ?? <Nothing />,
    },
    {
      id: "type",
      header: "Type",
      width: 104,
      sort: "type",
      cell: ({ instanceType }) => instanceType ?? <Nothing />,
    },
    {
      id: "address",
      header: "Addresses",
      width: 150,
      cell: (row) => {
        const all = row.addresses.filter(({ type }) => type.endsWith("IP"));
        const text = all.map(({ address }) => address).join(", ");
        return text === "" ? <Nothing /> : <code title={text}>{text}</code>;
      },
    },
    {
      id: "provider",
      header: "Provider ID",
      width: 210,
      cell: ({ providerID }) =>
        providerID === undefined ? <Nothing /> : <code title={providerID}>{providerID}</code>,
    },
  ];
}
