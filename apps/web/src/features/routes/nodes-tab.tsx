"use client";
import type { RouteRow, RoutesPage } from "@cloudwright/store/route-views";
import { useCallback } from "react";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import { EmptyState, Skeleton } from "../../components/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { firstPageOf } from "../../components/table/pages.ts";
import { routeRetry } from "../../platform/actions/action-choice.ts";
import { ListFooter } from "../../platform/lists/list-footer.tsx";
import type { ListProps } from "../../platform/lists/list-props.ts";
import { toggleFaults, toggleState } from "../../platform/lists/list-view.ts";
import { ListWaiting } from "../../platform/lists/list-waiting.tsx";
import { uidOf } from "../../platform/lists/row-keys.ts";
import { SelectionBar } from "../../platform/lists/selection-bar.tsx";
import { StateCounters } from "../../platform/lists/state-counters.tsx";
import { type LoadedRows, useLoadedRows } from "../../platform/lists/use-loaded-rows.ts";
import { type Selection, useSelection } from "../../platform/lists/use-selection.ts";
import { RoutePeek } from "./route-peek.tsx";
import { RoutesList } from "./routes-list.tsx";
import { RoutesMatrix } from "./routes-matrix.tsx";
import { RoutesToolbar } from "./routes-toolbar.tsx";
import {
  isFiltered,
  type Layout,
  peeked,
  type RoutesView,
  routesUrl,
  withoutFilters,
} from "./routes-url.ts";
import { useLayout, useRoutes } from "./use-routes.ts";

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
      <ListFooter thing="node" list={list} isFiltered={isFiltered(view)} />
    </>
  );
}

function NoRoutes({ view, push }: Pick<ListProps<RoutesView>, "view" | "push">) {
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
