"use client";
import type { RouteRow, RoutesPage } from "@cloudwright/store/views/routes";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { useHiddenColumns } from "../../components/menu/columns-menu.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Skeleton } from "../../components/page/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { routeRetry } from "../../platform/actions/action-choice.ts";
import { StateCounters } from "../../platform/lists/counters.tsx";
import {
  type ListProps,
  nameOf,
  sortedBy,
  stateOf,
  toggleFaults,
  toggleState,
  uidOf,
} from "../../platform/lists/list-view.ts";
import { ListFooter, ListWaiting } from "../../platform/lists/loaded-list.tsx";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { SelectionBar } from "../../platform/lists/selection-bar.tsx";
import { selectionColumn } from "../../platform/lists/selection-column.tsx";
import {
  exactCount,
  type LoadedRows,
  useLoadedRows,
} from "../../platform/lists/use-loaded-rows.ts";
import { type Selection, useSelection } from "../../platform/lists/use-selection.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { useTables } from "../../platform/objects/route-tables.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { routeColumns } from "./route-columns.tsx";
import { RoutePeek } from "./route-peek.tsx";
import { RoutesMatrix, type RowsProps } from "./routes-matrix.tsx";
import { RoutesToolbar } from "./routes-toolbar.tsx";
import { type Layout, layoutOf, peeked, type RoutesView, routesUrl, sortOf } from "./routes-url.ts";

const NO_FAMILIES: RoutesPage["families"] = [];

/** The nodes and the routes that they ask for, as a matrix or as a list. */
export function NodesTab(props: ListProps<RoutesView>) {
  const { cluster, view, push, replace } = props;
  const layout = useLayout(cluster, view);
  const routes = useRoutes(cluster, view, layout);
  const peek = usePeek({ view, push, replace });
  const retryOf = useCallback((row: RouteRow) => routeRetry({ ...row, cluster }), [cluster]);
  const selection = useSelection(retryOf);
  const what = routesUrl.format({ ...view, layout, peek: undefined });
  const list = useLoadedRows(routes, { what, keyOf: uidOf });
  useShortcuts({ f: () => push(toggleFaults), r: () => void routes.refetch() });
  return (
    <>
      <StateCounters
        counts={firstPageOf(routes.data)?.counts.states}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <RoutesToolbar {...props} layout={layout} rows={list.rows} />
      <div className={page.tableCard}>
        <Panel
          {...props}
          {...{ layout, peek, selection, list }}
          families={firstPageOf(routes.data)?.families ?? NO_FAMILIES}
        />
      </div>
    </>
  );
}

interface PanelProps extends ListProps<RoutesView> {
  readonly layout: Layout | undefined;
  readonly list: LoadedRows<RouteRow>;
  readonly families: RoutesPage["families"];
  readonly peek: Peek;
  readonly selection: Selection<RouteRow>;
}

function Panel(props: PanelProps) {
  const { cluster, peek, list, layout } = props;
  if (layout === undefined) return <Skeleton lines={12} />;
  if (list.query.data === undefined) return <ListWaiting query={list.query} />;
  const { node, cidr } = peeked(peek.current);
  return (
    <PeekLayout
      peek={
        node === undefined ? null : (
          <RoutePeek
            cluster={cluster}
            node={node}
            cidr={cidr}
            onClose={() => peek.onPeek(undefined)}
          />
        )
      }
    >
      <Rows {...props} layout={layout} />
    </PeekLayout>
  );
}

function Rows({ layout, ...props }: PanelProps & { readonly layout: Layout }) {
  const { cluster, view, selection, list } = props;
  if (list.rows.length === 0) return <NoRoutes {...props} />;
  const Shown = layout === "matrix" ? RoutesMatrix : RoutesList;
  return (
    <>
      <SelectionBar cluster={cluster} selection={selection} of="routes" />
      <Shown {...props} />
      <ListFooter thing="node" list={list} isFiltered={routesUrl.isFiltered(view)} />
    </>
  );
}

function NoRoutes({ view, push }: Pick<ListProps<RoutesView>, "view" | "push">) {
  if (!routesUrl.isFiltered(view)) {
    return (
      <EmptyState title="No node's routes have been observed yet">
        A node appears here with its pod ranges as soon as the route controller has observed it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No node's routes match this filter">
      <Button onClick={() => push(routesUrl.withoutFilters)}>Show the routes of all nodes</Button>
    </EmptyState>
  );
}

const NARROW = "(max-width: 44em)";

/** The nodes with their routes, page after page; not asked for before it is known how they are laid out. */
function useRoutes(cluster: string, view: RoutesView, layout: Layout | undefined) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.list.infiniteQueryOptions(
      {
        cluster,
        filter: routesUrl.filter(view),
        sort: sortOf(view, layout),
        limit: PAGE_SIZE,
      },
      { ...PAGED, enabled: layout !== undefined },
    ),
  );
}

/** Undefined until it is known how many nodes there are. */
function useLayout(cluster: string, view: RoutesView): Layout | undefined {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
  const counts = useCluster(cluster).data?.routes;
  if (counts === undefined) return view.layout;
  return layoutOf(view, { isNarrow, nodes: presentNodes(counts.states) });
}

/** One line for each node. */
function RoutesList({ cluster, view, push, list, selection, peek }: RowsProps) {
  const hidden = useHiddenColumns("routes");
  const { data: tables } = useTables(cluster);
  const columns = useMemo(
    () => [selectionColumn(selection, list.rows), ...routeColumns(cluster, tables)],
    [selection, list.rows, cluster, tables],
  );
  return (
    <DataTable
      label="Routes"
      columns={columns}
      hidden={hidden}
      rows={list.rows}
      total={exactCount(list.total)}
      rowKey={uidOf}
      rowTone={stateOf}
      sort={view.sort}
      onSort={(by) => push((now) => sortedBy(now, by))}
      onNearEnd={list.onNearEnd}
      stale={list.isOfBefore}
      reading={list.reading}
      beginning={list.beginning}
      folds="always"
      onSpace={selection.toggle}
      peek={{ ...peek, current: peeked(peek.current).node, idOf: nameOf }}
    />
  );
}
