"use client";
import { cause } from "@cloudwright/core/model/sentence";
import type { VolumeRow, VolumeSort } from "@cloudwright/store/volume-views";
import Link from "next/link";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { Nothing } from "../load-balancers/balancer-columns.tsx";
import { type LabelPair, labelPair, sizeText } from "./volume-words.ts";
import styles from "./volumes.module.css";

type VolumeColumn = Column<VolumeRow, VolumeSort>;

/** The columns of the list (UX brief, section 7, last paragraph). */
export function volumeColumns(cluster: string): readonly VolumeColumn[] {
  return [
    {
      id: "state",
      header: "State",
      width: 116,
      sort: "state",
      narrow: "first",
      cell: ({ state }) => <StatusChip status={STATE_PRESENTATION[state]} />,
    },
    {
      id: "name",
      header: "Volume",
      width: 210,
      sort: "name",
      narrow: "line",
      pinned: true,
      cell: ({ name }) => (
        <Link className={styles.name} href={addresses.volume(cluster, name)} prefetch={false}>
          {name}
        </Link>
      ),
    },
    {
      id: "why",
      header: "Why",
      width: 260,
      grows: true,
      folds: true,
      narrow: "line",
      cell: ({ state, reason }) => {
        const text = cause(reason);
        return (
          <span className={state === "ok" ? styles.quiet : undefined} title={text}>
            {text}
          </span>
        );
      },
    },
    {
      id: "since",
      header: "Since",
      width: 92,
      sort: "since",
      align: "end",
      narrow: "second",
      cell: ({ since }) => <SinceText at={since} />,
    },
    ...placeColumns(),
    ...recordColumns(cluster),
  ];
}

function placeColumns(): readonly VolumeColumn[] {
  return [
    {
      id: "zone",
      header: "Zone",
      width: 170,
      sort: "zone",
      cell: ({ detail }) =>
        detail === undefined ? <Nothing /> : <Label pair={labelPair(detail.labels, "zone")} />,
    },
    {
      id: "region",
      header: "Region",
      width: 150,
      cell: ({ detail }) =>
        detail === undefined ? <Nothing /> : <Label pair={labelPair(detail.labels, "region")} />,
    },
    {
      id: "claim",
      header: "Claim",
      width: 150,
      cell: ({ detail }) => detail?.claim ?? <Nothing />,
    },
    {
      id: "size",
      header: "Size",
      width: 120,
      cell: ({ detail }) => {
        if (detail === undefined) return <Nothing />;
        const text = sizeText(detail);
        return <span title={text}>{text}</span>;
      },
    },
  ];
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

function recordColumns(cluster: string): readonly VolumeColumn[] {
  return [
    {
      id: "drift",
      header: "Drift",
      width: 134,
      cell: ({ drift }) => <StatusChip status={DRIFT_PRESENTATION[drift]} />,
    },
    {
      id: "run",
      header: "Last run",
      width: 124,
      cell: ({ lastRun }) => (
        <Link
          className={styles.plain}
          href={addresses.run(cluster, lastRun.id)}
          prefetch={false}
          tabIndex={-1}
        >
          <StatusChip status={OUTCOME_PRESENTATION[lastRun.outcome]} />
        </Link>
      ),
    },
  ];
}
