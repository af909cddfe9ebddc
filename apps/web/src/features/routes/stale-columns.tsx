"use client";
import type { RouteTableView, StaleRouteRow } from "@cloudwright/store/views/routes";
import { CopyButton } from "../../components/button/copy-button.tsx";
import facts from "../../components/facts/facts.module.css";
import { Link } from "../../components/link.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
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

/** What is known of a route of ours that nobody asks for. */
export function staleColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly Column<StaleRouteRow>[] {
  return [
    stateColumn(),
    column(["route", "Route", 200, { narrow: "line", pinned: true }], ({ name }) => (
      <span className={facts.copied}>
        <code className="strong" title={name}>
          {name}
        </code>
        <CopyButton text={name} label={`Copy the id ${name}`} />
      </span>
    )),
    whyColumn(),
    sinceColumn(),
    column(["retry", "Retry", 170, { narrow: "line" }], (row) => (
      <Retry cluster={cluster} row={row} />
    )),
    textColumn(["owner", "Was of", 150], ({ detail }) => detail?.owner),
    textColumn(["hop", "Next hop", 190], ({ detail }) => detail?.nextHop, { isCode: true }),
    textColumn(["table", "Table", 120], ({ detail }) =>
      detail === undefined ? undefined : tableName(tables, detail.table),
    ),
    lastRunColumn(cluster, { isOnlyLink: true }),
  ];
}

function Retry({ cluster, row }: { readonly cluster: string; readonly row: StaleRouteRow }) {
  const [open] = row.openIntents;
  if (open !== undefined) {
    return (
      <Link className="plain-link" href={addresses.action(cluster, open.id)} prefetch={false}>
        Requested by {open.actor}, {open.state}
      </Link>
    );
  }
  return <ActionButton choice={staleRouteRetry(cluster, row.name)} of={row.name} />;
}
