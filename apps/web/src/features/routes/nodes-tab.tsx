"use client";
import { BATCH_MOST } from "@cloudwright/core/model/actions/intent";
import { t, worded } from "@cloudwright/core/model/language/text";
import { ROUTE_VERDICTS } from "@cloudwright/core/model/records/route-record";
import type { RouteRow, RoutesPage } from "@cloudwright/store/views/routes";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { routeRetry } from "../../platform/actions/action-choice.ts";
import { openDialog } from "../../platform/actions/dialog-store.ts";
import { GatedButton } from "../../platform/actions/gated-button.tsx";
import { useWhyNot } from "../../platform/actions/use-leave.ts";
import { ChosenOnly } from "../../platform/lists/list-toolbar.tsx";
import type { ListProps } from "../../platform/lists/list-view.ts";
import {
  type LayoutProps,
  type RecordListOf,
  RecordSection,
} from "../../platform/lists/record-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { tableName, useTables } from "../../platform/objects/route-cells.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-verdicts.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { routeColumns } from "./route-columns.tsx";
import { RoutesMatrix } from "./routes-matrix.tsx";
import {
  type Layout,
  layoutOf,
  peeked,
  type RoutesView,
  routesUrl,
  sortOf,
  toggleVerdict,
} from "./routes-url.ts";

const NO_FAMILIES: RoutesPage["families"] = [];

/** The nodes and the routes that they ask for, as a matrix or as a list. */
export function NodesTab(props: ListProps<RoutesView>) {
  const cluster = useClusterId();
  const { view, push } = props;
  const layout = useLayout(cluster, view);
  const routes = useRoutes(cluster, view, layout);
  const { data: tables } = useTables(cluster);
  const list = useMemo(
    () => ({ ...ROUTES, columns: (of: string) => routeColumns(of, tables) }),
    [tables],
  );
  const first = firstPageOf(routes.data);
  const families = first?.families ?? NO_FAMILIES;
  const matrix = useCallback(
    (rows: LayoutProps<RouteRow>) => <RoutesMatrix {...{ cluster, families }} {...rows} />,
    [cluster, families],
  );
  return (
    <RecordSection
      {...props}
      view={{ ...view, layout }}
      list={list}
      query={routes}
      counts={first?.counts.states}
      filters={
        <>
          <ChoiceMenu
            label={t`Cells`}
            choices={ROUTE_VERDICTS.map((id) => ({ id, label: VERDICT_PRESENTATION[id].label }))}
            chosen={new Set(view.verdicts)}
            onToggle={(id) => push((now) => toggleVerdict(now, id))}
          />
          <ChosenTable view={view} push={push} />
          <RepairButton rows={rowsOf(routes.data) ?? []} />
        </>
      }
      layouts={<LayoutButtons layout={layout} push={push} />}
      layOut={layout === "list" ? undefined : matrix}
    />
  );
}

const ROUTES: Omit<RecordListOf<RouteRow, RoutesView>, "columns"> = {
  get label() {
    return t`Routes`;
  },
  thing: "node",
  things: "routes",
  of: "routes",
  table: "routes",
  url: routesUrl,
  get placeholder() {
    return t`Node, pod range or route`;
  },
  folds: "always",
  retryOf: (row, cluster) => routeRetry({ ...row, cluster }),
  matchless: worded({
    title: () => t`No node's routes match this filter`,
    all: () => t`Show the routes of all nodes`,
  }),
  get none() {
    return (
      <EmptyState title={t`No node's routes have been observed yet`}>
        {t`A node appears here with its pod ranges as soon as the route controller has observed
        it.`}
      </EmptyState>
    );
  },
  beside: () => import("./route-beside.tsx").then(({ RouteBeside }) => RouteBeside),
  peekedName: (peek) => peeked(peek).node,
};

const NARROW = "(max-width: 44em)";

/** Reads the nodes with their routes, page by page, once the layout is known. */
function useRoutes(cluster: string, view: RoutesView, layout: Layout | undefined) {
  const api = useApi();
  return useInfiniteQuery(
    api.routes.list.infiniteQueryOptions(
      {
        cluster,
        filter: routesUrl.filter(view),
        sort: sortOf(view, layout),
        // The first page is full-sized as well, because drift is repaired for the loaded rows.
        limit: PAGE_SIZES.limit,
      },
      { ...PAGED, enabled: layout !== undefined },
    ),
  );
}

/** Undefined until the number of nodes is known, or known to be unavailable. */
function useLayout(cluster: string, view: RoutesView): Layout | undefined {
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false }) ?? false;
  const { data, isError } = useCluster(cluster);
  if (data === undefined && !isError) return view.layout;
  const nodes = data === undefined ? 0 : presentNodes(data.routes.states);
  return layoutOf(view, { isNarrow, nodes });
}

/** The table that was chosen in the strip of tables. */
function ChosenTable({ view, push }: Omit<ListProps<RoutesView>, "replace">) {
  const cluster = useClusterId();
  const { data: tables } = useTables(cluster);
  if (view.table === undefined) return null;
  return (
    <ChosenOnly
      title={t`Only nodes of this table. Press to clear the filter.`}
      onLeave={() => push((now) => ({ ...now, table: undefined }))}
    >
      {mixed`Table · ${tableName(tables, view.table)}`}
    </ChosenOnly>
  );
}

function LayoutButtons({
  layout,
  push,
}: Pick<ListProps<RoutesView>, "push"> & { readonly layout: Layout | undefined }) {
  return (
    <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
      <legend className="visually-hidden">{t`Layout`}</legend>
      {(["matrix", "list"] as const).map((each) => (
        <Button
          key={each}
          active={layout === each}
          aria-pressed={layout === each}
          onClick={() => push((now) => ({ ...now, layout: each }))}
        >
          {each === "matrix" ? t`Matrix` : t`List`}
        </Button>
      ))}
    </fieldset>
  );
}

/** Repairs the drifted rows that are listed now, once their plans have been reviewed: never what drifts later. */
function RepairButton({ rows }: { readonly rows: readonly RouteRow[] }) {
  const cluster = useClusterId();
  const notMine = useWhyNot("retry");
  const drifted = rows.filter(({ drift, state }) => drift === "drifted" && state !== "gone");
  const repaired = drifted.slice(0, BATCH_MOST);
  const left = t`The first ${BATCH_MOST} of the ${formatCount(drifted.length)} that have drifted, so that their plans can be read.`;
  const whyNot = drifted.length === 0 ? t`Nothing in this list has drifted.` : notMine;
  return (
    <GatedButton
      whyNot={whyNot}
      title={drifted.length > BATCH_MOST ? left : undefined}
      onClick={({ currentTarget }) =>
        openDialog({
          choice: {
            kind: "bulk",
            cluster,
            targets: repaired.map((row) => routeRetry({ ...row, cluster })),
            onDone: () => undefined,
          },
          opener: currentTarget,
        })
      }
    >
      {t`Repair drift…`}
    </GatedButton>
  );
}
