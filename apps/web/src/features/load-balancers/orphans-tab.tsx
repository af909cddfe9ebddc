"use client";
import type { OrphansPage } from "@cloudwright/store/balancer-views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { rowsOf } from "../../components/table/pages.ts";
import { ListFooter } from "./list-footer.tsx";
import type { ListTabProps } from "./list-tab-props.ts";
import { ListWaiting } from "./list-waiting.tsx";
import { type BalancersView, orphanSort, wanted, withoutFilters } from "./load-balancers-url.ts";
import { orphanColumns } from "./orphan-columns.tsx";

const PAGE_SIZE = 200;
const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** What stands in the cloud with this cluster's mark and belongs to no Service any more. */
export function OrphansTab(props: ListTabProps) {
  const { cluster, view, replace } = props;
  const orphans = useOrphans(cluster, view);
  useShortcuts({ r: () => void orphans.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <>
      <div className={page.toolbar}>
        <SearchBox
          label="Filter orphans"
          placeholder="Id, name, address or Service"
          value={view.text}
          onChange={onText}
        />
        <p className={page.quiet}>
          In the cloud with this cluster's mark, and without a Service here. They cost money until
          they are removed.
        </p>
      </div>
      <div className={page.tableCard}>
        <OrphansPanel {...props} orphans={orphans} />
      </div>
    </>
  );
}

function useOrphans(cluster: string, view: BalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.orphans.infiniteQueryOptions(
      { cluster, filter: { text: wanted(view.text) }, sort: orphanSort(view), limit: PAGE_SIZE },
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
}

interface PanelProps extends ListTabProps {
  readonly orphans: ReturnType<typeof useOrphans>;
}

function OrphansPanel(props: PanelProps) {
  const { orphans } = props;
  if (orphans.data === undefined) return <ListWaiting query={orphans} />;
  return <OrphansTable {...props} pages={orphans.data.pages} />;
}

function OrphansTable({
  cluster,
  view,
  push,
  orphans,
  pages,
}: PanelProps & { readonly pages: readonly OrphansPage[] }) {
  const rows = useMemo(() => rowsOf({ pages }) ?? [], [pages]);
  const columns = useMemo(() => orphanColumns(cluster), [cluster]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = orphans;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  const isFiltered = wanted(view.text) !== undefined;
  if (rows.length === 0) {
    return isFiltered ? (
      <EmptyState title="No orphan matches this filter">
        <Button onClick={() => push(withoutFilters)}>Show all orphans</Button>
      </EmptyState>
    ) : (
      <EmptyState title="No orphans">
        Every load balancer in the cloud that carries this cluster's mark belongs to a Service.
      </EmptyState>
    );
  }
  const sort = orphanSort(view);
  return (
    <>
      <DataTable
        label="Orphans"
        columns={columns}
        hidden={NOTHING_HIDDEN}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ name }) => name}
        rowTone={({ state }) => state}
        sort={sort}
        onSort={(by) =>
          push((now) => ({
            ...now,
            sort: { by, descending: orphanSort(now).by === by && !orphanSort(now).descending },
          }))
        }
        onNearEnd={onNearEnd}
        stale={orphans.isPlaceholderData || orphans.isError}
        folds="cards"
      />
      <ListFooter
        what="orphan"
        total={total}
        isFiltered={isFiltered}
        isOld={orphans.isError}
        isLoading={isFetchingNextPage}
      />
    </>
  );
}
