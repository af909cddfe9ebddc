"use client";
import { cause } from "@cloudwright/core/model/sentence";
import type { RouteTableView, StaleRouteRow } from "@cloudwright/store/route-views";
import Link from "next/link";
import { CopyButton } from "../../components/copy-button.tsx";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../actions/action-button.tsx";
import { staleRouteRetry } from "../actions/action-choice.ts";
import { Nothing } from "../load-balancers/balancer-columns.tsx";
import styles from "./routes.module.css";
import { tableName } from "./table-names.ts";

/** What is known of a route of ours that nobody asks for. */
export function staleColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly Column<StaleRouteRow>[] {
  return [
    {
      id: "state",
      header: "State",
      width: 116,
      narrow: "first",
      cell: ({ state }) => <StatusChip status={STATE_PRESENTATION[state]} />,
    },
    {
      id: "route",
      header: "Route",
      width: 200,
      narrow: "line",
      pinned: true,
      cell: ({ name }) => (
        <span className={styles.copied}>
          <code className={styles.name} title={name}>
            {name}
          </code>
          <CopyButton text={name} label={`Copy the id ${name}`} />
        </span>
      ),
    },
    {
      id: "why",
      header: "Why",
      width: 300,
      grows: true,
      folds: true,
      narrow: "line",
      cell: ({ reason }) => {
        const text = cause(reason);
        return <span title={text}>{text}</span>;
      },
    },
    {
      id: "since",
      header: "Since",
      width: 92,
      align: "end",
      narrow: "second",
      cell: ({ since }) => <SinceText at={since} />,
    },
    {
      id: "retry",
      header: "Retry",
      width: 170,
      narrow: "line",
      cell: (row) => <Retry cluster={cluster} row={row} />,
    },
    {
      id: "owner",
      header: "Was of",
      width: 150,
      cell: ({ detail }) => detail?.owner ?? <Nothing />,
    },
    {
      id: "hop",
      header: "Next hop",
      width: 190,
      cell: ({ detail }) =>
        detail?.nextHop === undefined ? <Nothing /> : <code>{detail.nextHop}</code>,
    },
    {
      id: "table",
      header: "Table",
      width: 120,
      cell: ({ detail }) => (detail === undefined ? <Nothing /> : tableName(tables, detail.table)),
    },
    {
      id: "run",
      header: "Last run",
      width: 124,
      cell: ({ lastRun }) => (
        <Link className={styles.plain} href={addresses.run(cluster, lastRun.id)} prefetch={false}>
          <StatusChip status={OUTCOME_PRESENTATION[lastRun.outcome]} />
        </Link>
      ),
    },
  ];
}

function Retry({ cluster, row }: { readonly cluster: string; readonly row: StaleRouteRow }) {
  const [open] = row.openIntents;
  if (open !== undefined) {
    return (
      <Link className={styles.plain} href={addresses.action(cluster, open.id)} prefetch={false}>
        Asked for by {open.actor}, {open.state}
      </Link>
    );
  }
  return (
    <ActionButton choice={staleRouteRetry(cluster, row.name)}>
      Retry now<span className="visually-hidden"> {row.name}</span>
    </ActionButton>
  );
}
