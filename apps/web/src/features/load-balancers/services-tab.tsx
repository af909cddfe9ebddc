"use client";
import type { BalancersPage } from "@cloudwright/store/balancer-views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import type { ChangeView } from "../../components/url/use-url-state.ts";
import { StateCounters } from "../nodes/state-counters.tsx";
import { balancerColumns } from "./balancer-columns.tsx";
import { BalancerPeek } from "./balancer-peek.tsx";
import { BalancersToolbar } from "./balancers-toolbar.tsx";
import { ListFooter } from "./list-footer.tsx";
import type { ListTabProps } from "./list-tab-props.ts";
import { ListWaiting } from "./list-waiting.tsx";
import {
  type BalancersView,
  balancersFilter,
  isFiltered,
  sortedBy,
  toggleFaults,
  toggleState,
  withoutFilters,
} from "./load-balancers-url.ts";

const PAGE_SIZE = 200;

export function ServicesTab(props: ListTabProps) {
  const { cluster, view, push, replace } = props;
  const balancers = useBalancers(cluster, view);
  const peek = usePeek({ view, push, replace });
  useShortcuts({ f: () => push(toggleFaults), r: () => void balancers.refetch() });
  return (
    <>
      <StateCounters
        counts={firstPageOf(balancers.data)?.counts.states}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <BalancersToolbar {...props} />
      <div className={page.tableCard}>
        <ServicesPanel {...props} peek={peek} balancers={balancers} />
      </div>
    </>
  );
}

function useBalancers(cluster: string, view: BalancersView) {
  const api = useApi();
  return useInfiniteQuery(
    api.balancers.list.infiniteQueryOptions(
      { cluster, filter: balancersFilter(view), sort: view.sort, limit: PAGE_SIZE },
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
}

interface PanelProps extends ListTabProps {
  readonly peek: Peek;
  readonly balancers: ReturnType<typeof useBalancers>;
}

function ServicesPanel(props: PanelProps) {
  const { cluster, peek, balancers } = props;
  if (balancers.data === undefined) return <ListWaiting query={balancers} />;
  return (
    <PeekLayout
      peek={
        peek.current === undefined ? null : (
          <BalancerPeek
            cluster={cluster}
            service={peek.current}
            onClose={() => peek.onPeek(undefined)}
          />
        )
      }
    >
      <ServicesTable {...props} pages={balancers.data.pages} />
    </PeekLayout>
  );
}

function ServicesTable({
  cluster,
  view,
  push,
  peek,
  balancers,
  pages,
}: PanelProps & { readonly pages: readonly BalancersPage[] }) {
  const hidden = useHiddenColumns("load-balancers");
  const rows = useMemo(() => rowsOf({ pages }) ?? [], [pages]);
  const columns = useMemo(() => balancerColumns(cluster), [cluster]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = balancers;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  if (rows.length === 0) return <NoServices view={view} push={push} />;
  return (
    <>
      <DataTable
        label="Load balancers"
        columns={columns}
        hidden={hidden}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ name }) => name}
        rowTone={({ state }) => state}
        sort={view.sort}
        onSort={(by) => push((now) => sortedBy(now, by))}
        onNearEnd={onNearEnd}
        stale={balancers.isPlaceholderData || balancers.isError}
        folds="always"
        peek={{ ...peek, idOf: ({ name }) => name }}
      />
      <ListFooter
        what="load balancer"
        total={total}
        isFiltered={isFiltered(view)}
        isOld={balancers.isError}
        isLoading={isFetchingNextPage}
      />
    </>
  );
}

function NoServices({
  view,
  push,
}: {
  readonly view: BalancersView;
  readonly push: ChangeView<BalancersView>;
}) {
  if (!isFiltered(view)) {
    return (
      <EmptyState title="No load balancer yet">
        A Service appears here as soon as it is of type <code>LoadBalancer</code> and the controller
        has looked at it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No load balancer matches this filter">
      <Button onClick={() => push(withoutFilters)}>Show all load balancers</Button>
    </EmptyState>
  );
}
