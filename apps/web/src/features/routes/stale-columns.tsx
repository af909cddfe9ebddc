"use client";
import type { RouteTableView, StaleRouteRow } from "@cloudwright/store/views/routes";
import { CopyButton } from "../../components/button/copy-button.tsx";
import facts from "../../components/facts/facts.module.css";
import { Link } from "../../components/link.tsx";
import { Nothing } from "../../components/nothing.tsx";
import type { Column } from "../../components/table/column.ts";
import {
  lastRunColumn,
  sinceColumn,
  stateColumn,
  whyColumn,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { staleRouteRetry } from "../../platform/actions/action-choice.ts";
import { tableName } from "../../platform/objects/route-tables.ts";
import styles from "./routes.module.css";

/** What is known of a route of ours that nobody asks for. */
export function staleColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly Column<StaleRouteRow>[] {
  return [
    stateColumn(),
    {
      id: "route",
      header: "Route",
      width: 200,
      narrow: "line",
      pinned: true,
      cell: ({ name }) => (
        <span className={facts.copied}>
          <code className={styles.name} title={name}>
            {name}
          </code>
          <CopyButton text={name} label={`Copy the id ${name}`} />
        </span>
      ),
    },
    whyColumn(),
    sinceColumn(),
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
    lastRunColumn(cluster, { isOnlyLink: true }),
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
