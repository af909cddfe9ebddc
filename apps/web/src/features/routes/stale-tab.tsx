"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteTableView, StaleRouteRow } from "@cloudwright/store/views/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { CopiedCode } from "../../components/button/copy-button.tsx";
import { Link } from "../../components/link.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import {
  lastRunColumn,
  sinceColumn,
  stateColumn,
  whyColumn,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import { staleRouteRetry } from "../../platform/actions/action-choice.ts";
import { stateWord } from "../../platform/actions/state-words.ts";
import { UnreadActions } from "../../platform/actions/unread-actions.tsx";
import { type ListProps, nameOf, stateOf, wanted } from "../../platform/lists/list-view.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { tableName, useTables } from "../../platform/objects/route-cells.ts";
import { type RoutesView, routesUrl } from "./routes-url.ts";

/** Our routes that no node asks for, until they are deleted. */
export function StaleTab({ view, push, replace }: ListProps<RoutesView>) {
  const cluster = useClusterId();
  const stale = useStale(cluster, view);
  const { data: tables } = useTables(cluster);
  const columns = useMemo(() => staleColumns(cluster, tables), [cluster, tables]);
  return (
    <>
      <UnreadActions list={stale.data} />
      <SearchedList
        label={t`Routes without a node`}
        thing="route"
        filter={t`Filter routes without a node`}
        placeholder={t`Route, destination or owner`}
        about={t`This cluster owns them and no node needs them. They are deleted automatically.`}
        view={view}
        url={routesUrl}
        {...{ push, replace }}
        query={stale}
        table="stale-routes"
        exported={staleAsked(view)}
        matchless={{
          title: t`No route without a node matches this filter`,
          all: t`Show all of them`,
        }}
        none={
          <EmptyState title={t`No route waits to be deleted`}>
            {t`Every route that this cluster owns within --cluster-cidr is needed by a node. Others are left alone.`}
          </EmptyState>
        }
        columns={columns}
        rowKey={nameOf}
        rowTone={stateOf}
      />
    </>
  );
}

function useStale(cluster: string, view: RoutesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.stale.infiniteQueryOptions(
      {
        cluster,
        ...staleAsked(view),
        ...PAGE_SIZES,
      },
      PAGED,
    ),
  );
}

function staleAsked({ text }: RoutesView) {
  return { filter: { text: wanted(text) }, sort: { by: "since", descending: false } as const };
}

/** The columns for one of our routes that nobody asks for. */
export function staleColumns(
  cluster: string,
  tables: readonly RouteTableView[] | undefined,
): readonly Column<StaleRouteRow>[] {
  return [
    stateColumn(),
    column(["route", t`Route`, 170, { narrow: "line", pinned: true }], ({ name }) => (
      <CopiedCode strong text={name} label={t`Copy the ID ${name}`} />
    )),
    whyColumn(),
    sinceColumn(),
    column(["retry", t`Retry`, 210, { narrow: "corner" }], (row) => <Retry row={row} />),
    textColumn(["owner", t`Former owner`, 130], ({ detail }) => detail?.owner),
    textColumn(["hop", t`Next hop`, 150], ({ detail }) => detail?.nextHop, { isCode: true }),
    textColumn(["table", t`Table`, 120], ({ detail }) =>
      detail === undefined ? undefined : tableName(tables, detail.table),
    ),
    lastRunColumn(cluster, { isOnlyLink: true }),
  ];
}

function Retry({ row }: { readonly row: StaleRouteRow }) {
  const cluster = useClusterId();
  const [open] = row.openIntents;
  if (open !== undefined) {
    return (
      <Link className="plain-link" href={addresses.action(cluster, open.id)} prefetch={false}>
        {t`Requested by ${open.actor}, ${stateWord(open.state)}`}
      </Link>
    );
  }
  return <ActionButton choice={staleRouteRetry(cluster, row.name)} of={row.name} />;
}
