"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ForeignRouteRow } from "@cloudwright/store/views/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { CopiedCode } from "../../components/button/copy-button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Nothing } from "../../components/nothing.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import type { Presentation } from "../../components/presentation/states.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { type ListProps, wanted } from "../../platform/lists/list-view.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-verdicts.ts";
import { FOREIGN_WORDS } from "./foreign-words.ts";
import styles from "./routes.module.css";
import { type RoutesView, routesUrl } from "./routes-url.ts";

/** The foreign routes in the cluster's tables. */
export function ForeignTab({ view, push, replace }: ListProps<RoutesView>) {
  const cluster = useClusterId();
  const foreign = useForeign(cluster, view);
  const columns = useMemo(() => foreignColumns(), []);
  return (
    <SearchedList
      label={t`Foreign routes`}
      thing="foreign route"
      filter={t`Filter foreign routes`}
      placeholder={t`Destination, next hop or owner`}
      about={t`They are not ours, and are left untouched. Those in a pod range keep a node from getting its own route and are listed first.`}
      view={view}
      url={routesUrl}
      {...{ push, replace }}
      query={foreign}
      table="foreign-routes"
      exported={foreignAsked(view)}
      isFiltered={isSearched(view)}
      none={
        <EmptyState title={t`No foreign routes`}>
          {t`Every route in the tables of this cluster is ours.`}
        </EmptyState>
      }
      below={<Unlisted count={firstPageOf(foreign.data)?.unlisted ?? 0} />}
      columns={columns}
      rowKey={keyOfRoute}
    />
  );
}

/** Ids are unique only within a table. */
function keyOfRoute({ table, id }: ForeignRouteRow): string {
  return `${table} ${id}`;
}

function useForeign(cluster: string, view: RoutesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.foreign.infiniteQueryOptions(
      {
        cluster,
        ...foreignAsked(view),
        ...PAGE_SIZES,
      },
      PAGED,
    ),
  );
}

function foreignAsked({ text, table }: RoutesView) {
  const sort = { by: "inRange", descending: false } as const;
  return { filter: { text: wanted(text), table }, sort };
}

function isSearched({ text, table }: RoutesView): boolean {
  return wanted(text) !== undefined || table !== undefined;
}

function Unlisted({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <p className={`pad-2-3 small round-small ${page.note}`}>
      {mixed`${formatCount(count)} more are counted and not listed: a table lists at most 500.`}
    </p>
  );
}

/** The columns for a route that is not ours. */
export function foreignColumns(): readonly Column<ForeignRouteRow>[] {
  return [
    column(
      ["destination", t`Destination`, 190, { narrow: "line", pinned: true }],
      ({ destination }) => <CopiedCode strong text={destination} label={t`Copy ${destination}`} />,
    ),
    column(["place", t`In the way`, 150, { narrow: "first" }], (row) => (
      <RowStatus status={placeOf(row)} />
    )),
    column(["hop", t`Next hop`, 200, { narrow: "line" }], ({ nextHop, blackhole }) => (
      <>
        <span className={styles.narrowWord}>{t`leads to `}</span>
        <NextHop nextHop={nextHop} blackhole={blackhole} />
      </>
    )),
    column(
      ["owner", t`Belongs to`, 190, { grows: true, folds: true, narrow: "line" }],
      ({ owner }) => (
        <>
          <span className={styles.narrowWord}>{t`belongs to `}</span>
          {owner ?? <span className={`light quiet ${styles.quiet}`}>{t`no owner named`}</span>}
        </>
      ),
    ),
    textColumn(["table", t`Table`, 130, { narrow: "second" }], ({ table, tableName }) =>
      tableName === "" ? table : tableName,
    ),
    textColumn(["name", t`Name`, 180], ({ name }) => name),
    textColumn(["route", t`Route`, 170], ({ id }) => id, { isCode: true }),
  ];
}

function NextHop({ nextHop, blackhole }: Pick<ForeignRouteRow, "nextHop" | "blackhole">) {
  if (blackhole) return FOREIGN_WORDS.goneHop;
  return nextHop === undefined ? <Nothing /> : <code title={nextHop}>{nextHop}</code>;
}

function placeOf({ inRange }: ForeignRouteRow): Presentation {
  return inRange
    ? {
        label: FOREIGN_WORDS.inRange,
        shape: "diamond",
        tone: "drifted",
        help: t`A node that gets this range cannot have its route.`,
      }
    : {
        ...VERDICT_PRESENTATION.foreign,
        label: FOREIGN_WORDS.elsewhere,
        help: t`It blocks no node.`,
        isUsual: true,
      };
}
