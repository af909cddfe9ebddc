"use client";
import type { VolumeRow, VolumeSort } from "@cloudwright/store/views/volumes";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
import {
  driftColumn,
  lastRunColumn,
  leadingColumns,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type LabelPair, labelPair, labelText, sizeText } from "./volume-words.ts";
import styles from "./volumes.module.css";

type VolumeColumn = Column<VolumeRow, VolumeSort>;

/** The columns of the list (UX brief, section 7, last paragraph). */
export function volumeColumns(cluster: string): readonly VolumeColumn[] {
  return [
    ...leadingColumns<VolumeRow>({
      ...{ id: "name", header: "Volume", width: 210 },
      href: ({ name }) => addresses.volume(cluster, name),
    }),
    ...placeColumns(),
    driftColumn(),
    lastRunColumn(cluster),
  ];
}

function placeColumns(): readonly VolumeColumn[] {
  return [
    {
      id: "zone",
      header: "Zone",
      width: 170,
      sort: "zone",
      value: labelValue("zone"),
      cell: ({ detail }) =>
        detail === undefined ? <Nothing /> : <Label pair={labelPair(detail.labels, "zone")} />,
    },
    {
      id: "region",
      header: "Region",
      width: 150,
      value: labelValue("region"),
      cell: ({ detail }) =>
        detail === undefined ? <Nothing /> : <Label pair={labelPair(detail.labels, "region")} />,
    },
    {
      id: "claim",
      header: "Claim",
      width: 150,
      value: ({ detail }) => detail?.claim,
      cell: ({ detail }) => detail?.claim ?? <Nothing />,
    },
    {
      id: "size",
      header: "Size",
      width: 120,
      value: ({ detail }) => (detail === undefined ? undefined : sizeText(detail)),
      cell: ({ detail }) => {
        if (detail === undefined) return <Nothing />;
        const text = sizeText(detail);
        return <span title={text}>{text}</span>;
      },
    },
  ];
}

function labelValue(label: "zone" | "region") {
  return ({ detail }: VolumeRow) =>
    detail === undefined ? undefined : labelText(detail.labels, label);
}

/** What the label says; where it should say something else, both. */
export function Label({ pair: { has, wanted, differs } }: { readonly pair: LabelPair }) {
  if (!differs) return has ?? <Nothing />;
  return (
    <span className={styles.differs}>
      {has ?? "none"} <span aria-hidden="true">≠</span>
      <span className="visually-hidden">, and should be</span> {wanted}
    </span>
  );
}
