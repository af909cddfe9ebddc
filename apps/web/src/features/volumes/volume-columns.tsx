"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { VolumeRow, VolumeSort } from "@cloudwright/store/views/volumes";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import {
  driftColumn,
  lastRunColumn,
  leadingColumns,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type LabelPair, labelPair, labelText, sizeText } from "./volume-messages.ts";

type VolumeColumn = Column<VolumeRow, VolumeSort>;

/** The columns of the list (UX brief, section 7, last paragraph). */
export function volumeColumns(cluster: string): readonly VolumeColumn[] {
  return [
    ...leadingColumns<VolumeRow>({
      ...{ id: "name", header: t`Volume`, width: 210 },
      href: ({ name }) => addresses.volume(cluster, name),
      pageOf: ({ name }) => addresses.object(cluster, "PersistentVolume", name),
    }),
    ...placeColumns(),
    driftColumn(),
    lastRunColumn(cluster),
  ];
}

function placeColumns(): readonly VolumeColumn[] {
  return [
    column(["zone", t`Zone`, 170, { sort: "zone", value: labelValue("zone") }], ({ detail }) =>
      detail === undefined ? <Nothing /> : <Label pair={labelPair(detail.labels, "zone")} />,
    ),
    column(["region", t`Region`, 150, { value: labelValue("region") }], ({ detail }) =>
      detail === undefined ? <Nothing /> : <Label pair={labelPair(detail.labels, "region")} />,
    ),
    column(
      ["claim", t`Claim`, 150, { value: ({ detail }) => detail?.claim }],
      ({ detail }) => detail?.claim ?? <Nothing />,
    ),
    textColumn(
      ["size", t`Size`, 120],
      ({ detail }) => (detail === undefined ? undefined : sizeText(detail)),
      { isNews: true },
    ),
  ];
}

function labelValue(label: "zone" | "region") {
  return ({ detail }: VolumeRow) =>
    detail === undefined ? undefined : labelText(detail.labels, label);
}

/** The label's value; if it should be different, both values. */
export function Label({ pair: { has, wanted, differs } }: { readonly pair: LabelPair }) {
  if (!differs) return has ?? <Nothing />;
  return (
    <span className="bold">
      {has ?? t`none`} <span aria-hidden="true">≠</span>
      <span className="visually-hidden">{t`, and should be`}</span> {wanted}
    </span>
  );
}
