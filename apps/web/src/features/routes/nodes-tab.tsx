"use client";
import type { RouteRow, RoutesPage } from "@cloudwright/store/route-views";
import { useCallback, useMemo } from "react";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import { EmptyState, Skeleton } from "../../components/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { ListFooter } from "../load-balancers/list-footer.tsx";
import { ListWaiting } from "../load-balancers/list-waiting.tsx";
import { SelectionBar } from "../nodes/selection-bar.tsx";
import { StateCounters } from "../nodes/state-counters.tsx";
import { type Selection, useSelection } from "../nodes/use-selection.ts";
import type { ListProps } from "./list-props.ts";
import { RoutePeek } from "./route-peek.tsx";
import { RoutesList } from "./routes-list.tsx";
import { RoutesMatrix } from "./routes-matrix.tsx";
import { RoutesToolbar } from "./routes-toolbar.tsx";
import {
  isFiltered,
  type Layout,
  peeked,
  toggleFaults,
  toggleState,
  withoutFilters,
} from "./routes-url.ts";
import { useLayout, useRoutes } from "./use-routes.ts";

/** The nodes and the routes that they ask for, as a matrix or as a list. */
export function NodesTab(props: ListProps) {
  const { cluster, view, push, replace } = props;
  const layout = useLayout(cluster, view);
  const routes = useRoutes(cluster, view, layout);
  const peek = usePeek({ view, push, replace });
  const selection = useSelection(cluster);
  useShortcuts({ f: () => push(toggleFaults), r: () => void routes.refetch() });
  const rows = useMemo(() => rowsOf(routes.data) ?? [], [routes.data]);
  return (
    <>
      <StateCounters
        counts={firstPageOf(routes.data)?.counts.states}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <RoutesToolbar {...props} layout={layout} rows={rows} />
      <div className={page.tableCard}>
        <Panel {...props} {...{ layout, routes, peek, selection, rows }} />
      </div>
    </>
  );
}

interface PanelProps extends ListProps {
  readonly layout: Layout | undefined;
  readonly routes: ReturnType<typeof useRoutes>;
  readonly rows: readonly RouteRow[];
  readonly peek: Peek;
  readonly selection: Selection;
}

function Panel(props: PanelProps) {
  const { cluster, peek, routes, layout } = props;
  if (routes.data === undefined || layout === undefined) {
    return layout === undefined ? <Skeleton lines={12} /> : <ListWaiting query={routes} />;
  }
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
      <Rows {...props} layout={layout} pages={routes.data.pages} />
    </PeekLayout>
  );
}

function Rows({
  layout,
  pages,
  ...props
}: PanelProps & { readonly layout: Layout; readonly pages: readonly RoutesPage[] }) {
  const { cluster, view, routes, selection, rows } = props;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = routes;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  if (rows.length === 0) return <NoRoutes {...props} />;
  const Shown = layout === "matrix" ? RoutesMatrix : RoutesList;
  return (
    <>
      <SelectionBar cluster={cluster} selection={selection} of="routes" />
      <Shown
        {...props}
        total={total?.kind === "exact" ? total.count : undefined}
        isOld={routes.isPlaceholderData || routes.isError}
        onNearEnd={onNearEnd}
      />
      <ListFooter
        what="node"
        total={total}
        isFiltered={isFiltered(view)}
        isOld={routes.isError}
        isLoading={isFetchingNextPage}
      />
    </>
  );
}

function NoRoutes({ view, push }: Pick<ListProps, "view" | "push">) {
  if (!isFiltered(view)) {
    return (
      <EmptyState title="No node's routes have been looked at yet">
        A node appears here with its pod ranges as soon as the route controller has looked at it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No node's routes match this filter">
      <Button onClick={() => push(withoutFilters)}>Show the routes of all nodes</Button>
    </EmptyState>
  );
}
