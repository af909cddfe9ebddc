"use client";
import { cause } from "@cloudwright/core/model/sentence";
import type { RouteRow, RouteSort, RouteTableView } from "@cloudwright/store/route-views";
import Link from "next/link";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { StatusIcon } from "../../components/status-icon.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { Nothing } from "../load-balancers/balancer-columns.tsx";
import { cellKey } from "./matrix-rows.ts";
import styles from "./routes.module.css";
import { tableName } from "./table-names.ts";
import { VERDICT_PRESENTATION } from "./verdicts.ts";

type RouteColumn = Column<RouteRow, RouteSort>;

/** The columns of the list (UX brief, section 7). */
export function routeColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly RouteColumn[] {
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
      id: "node",
      header: "Node",
      width: 170,
      sort: "name",
      narrow: "line",
      pinned: true,
      cell: ({ name }) => (
        <Link
          className={styles.name}
          href={addresses.node(cluster, name, "routes")}
          prefetch={false}
        >
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
    ...cloudColumns(tables),
    ...recordColumns(cluster),
  ];
}

function cloudColumns(tables: readonly RouteTableView[] | undefined): readonly RouteColumn[] {
  return [
    {
      id: "ranges",
      header: "Pod ranges",
      width: 240,
      folds: true,
      cell: ({ cells }) => (cells.length === 0 ? <Nothing /> : cells.map(rangeText)),
    },
    {
      id: "hop",
      header: "Next hop",
      width: 190,
      cell: ({ cells: [first] }) =>
        first === undefined ? (
          <Nothing />
        ) : (
          <code title={first.wantedNextHop}>{first.route?.nextHop ?? first.wantedNextHop}</code>
        ),
    },
    {
      id: "table",
      header: "Table",
      width: 120,
      sort: "table",
      cell: ({ table }) => (table === undefined ? <Nothing /> : tableName(tables, table)),
    },
  ];
}

function rangeText(cell: RouteRow["cells"][number]) {
  const { cidr, verdict } = cell;
  const status = VERDICT_PRESENTATION[verdict];
  return (
    <span key={cellKey(cell)} className={styles.range} title={status.help}>
      <StatusIcon status={status} size={13} />
      <code>{cidr}</code>
      <span className={verdict === "keep" ? "visually-hidden" : styles.word}>{status.label}</span>
    </span>
  );
}

function recordColumns(cluster: string): readonly RouteColumn[] {
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
