"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import { cause } from "@cloudwright/core/model/sentence";
import type { NodeRow, NodeSort } from "@cloudwright/store/views";
import Link from "next/link";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./nodes-page.module.css";

/** The columns of the Nodes page (UX brief, section 5). */
export function nodeColumns(cluster: string): readonly Column<NodeRow, NodeSort>[] {
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
      header: "Name",
      width: 170,
      sort: "name",
      narrow: "line",
      pinned: true,
      cell: ({ name }) => (
        <Link className={styles.name} href={addresses.node(cluster, name)} prefetch={false}>
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
          <span className={state === "ok" ? styles.quietWhy : undefined} title={text}>
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
    {
      id: "init",
      header: "Init time",
      width: 96,
      sort: "init",
      align: "end",
      cell: ({ initMs }) => (initMs === undefined ? <Nothing /> : formatDuration(initMs)),
    },
    ...placeColumns(),
    ...recordColumns(cluster),
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

function recordColumns(cluster: string): readonly Column<NodeRow, NodeSort>[] {
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
          className={styles.run}
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

function Nothing() {
  return (
    <span className={styles.nothing}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">none</span>
    </span>
  );
}
