"use client";
import { t } from "@cloudwright/core/model/language/text";
import { ROUTE_VERDICTS } from "@cloudwright/core/model/records/route-record";
import { type RouteMapView, routeMapOf } from "@cloudwright/store/views/route-map";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useCallback, useMemo } from "react";
import { useApi } from "../../../components/api.ts";
import { Button } from "../../../components/button/button.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { ChoiceMenu } from "../../../components/menu/choice-menu.tsx";
import { usePeekKeys } from "../../../components/neighbours/use-peek-keys.ts";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { PeekLayout } from "../../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../../components/peek-panel/use-peek.ts";
import { SearchBox } from "../../../components/search-box.tsx";
import { useShortcuts } from "../../../components/shortcuts.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ChosenOnly } from "../../../platform/lists/list-toolbar.tsx";
import type { ListProps } from "../../../platform/lists/list-view.ts";
import { ListWaiting } from "../../../platform/lists/loaded-list.tsx";
import { tableName, useTables } from "../../../platform/objects/route-cells.ts";
import { VERDICT_PRESENTATION } from "../../../platform/objects/route-verdicts.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { RoutePeek } from "../route-peek.tsx";
import { peeked, type RoutesView, routesUrl, toggleVerdict } from "../routes-url.ts";
import { cellIds, familiesOf, mapBlocks } from "./map-blocks.ts";
import styles from "./route-map.module.css";
import { TableBlock } from "./table-block.tsx";

/** Every route table as a block: its free room, and each node's routes in it, the worst first. */
export function RouteMap(props: ListProps<RoutesView>) {
  const cluster = useClusterId();
  const api = useApi();
  const { view, push } = props;
  const map = useQuery(api.routes.map.queryOptions({ cluster }, { select: routeMapOf }));
  const tablesFound = useTables(cluster);
  const tables = tablesFound.data;
  const peek = usePeek(props);
  const { node, cidr } = peeked(peek.current);
  useShortcuts({
    r: () => void map.refetch(),
    f: () => push(toggleDrifted),
  });
  const shown = tables === undefined ? undefined : map.data;
  return (
    <>
      <MapToolbar {...props} tables={tables} />
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <PeekLayout
          peek={
            node === undefined ? null : (
              <RoutePeek {...{ node, cidr }} onClose={() => peek.onPeek(undefined)} />
            )
          }
        >
          {shown === undefined || tables === undefined ? (
            <ListWaiting query={map.data === undefined ? map : tablesFound} />
          ) : (
            <Blocks {...{ view, push, tables }} map={shown} peek={peek} />
          )}
        </PeekLayout>
      </div>
    </>
  );
}

function Blocks({
  view,
  push,
  map,
  tables,
  peek,
}: Omit<ListProps<RoutesView>, "replace"> & {
  readonly map: RouteMapView;
  readonly tables: readonly RouteTableView[];
  /** By `node/pod range`. */
  readonly peek: Peek;
}) {
  const blocks = useMemo(() => mapBlocks(map.nodes, tables, view), [map.nodes, tables, view]);
  const families = useMemo(() => familiesOf(map.nodes), [map.nodes]);
  usePeekKeys({ ids: () => blocks.flatMap(cellIds), ...peek });
  const isFiltered = routesUrl.isFiltered(view);
  if (map.nodes.length === 0 && tables.length === 0) {
    return (
      <EmptyState title={t`No node's routes have been observed yet`}>
        {t`A node appears here with its pod ranges as soon as the route controller has
          observed it.`}
      </EmptyState>
    );
  }
  const shown = isFiltered ? blocks.filter(({ rows }) => rows.length > 0) : blocks;
  if (shown.length === 0) {
    return (
      <EmptyState title={t`No node's routes match this filter`}>
        <Button
          onClick={() => push(routesUrl.withoutFilters)}
        >{t`Show the routes of all nodes`}</Button>
      </EmptyState>
    );
  }
  return (
    <div className={styles.map}>
      {map.isCut ? (
        <p className={`pad-2-3 small round-small ${page.note}`}>
          {mixed`The map shows the first ${countOf(map.nodes.length, "node")} by name. The list
            shows all of them.`}
        </p>
      ) : null}
      <ul
        className={styles.blocks}
        style={familiesVariable(families.length)}
        aria-label={t`Route tables`}
      >
        {shown.map((block) => (
          <li key={block.id ?? ""} className={styles.place}>
            <TableBlock
              block={block}
              families={families}
              isFiltered={isFiltered}
              isAlone={shown.length === 1}
              chosen={peek.current}
              onOpen={peek.onPeek}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The number of range columns in a block, from which the style sheet derives its width. */
function familiesVariable(count: number): CSSProperties {
  const variables: Record<`--${string}`, number> = { "--families": Math.max(1, count) };
  return variables;
}

function MapToolbar({
  view,
  push,
  replace,
  tables,
}: ListProps<RoutesView> & { readonly tables: readonly RouteTableView[] | undefined }) {
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const isDrifted = view.drift === "drifted";
  return (
    <div className={page.toolbar}>
      <SearchBox
        label={t`Filter nodes`}
        placeholder={t`Node or pod range`}
        value={view.text}
        onChange={onText}
      />
      <Button active={isDrifted} aria-pressed={isDrifted} onClick={() => push(toggleDrifted)}>
        {t`Only differences`}
      </Button>
      <ChoiceMenu
        label={t`Cells`}
        choices={ROUTE_VERDICTS.map((id) => ({ id, label: VERDICT_PRESENTATION[id].label }))}
        chosen={new Set(view.verdicts)}
        onToggle={(id) => push((now) => toggleVerdict(now, id))}
      />
      {view.table === undefined ? null : (
        <ChosenOnly
          title={t`Only this table. Press to clear the filter.`}
          onLeave={() => push((now) => ({ ...now, table: undefined }))}
        >
          {mixed`Table · ${tableName(tables, view.table)}`}
        </ChosenOnly>
      )}
      {routesUrl.isFiltered(view) ? (
        <Button appearance="quiet" onClick={() => push(routesUrl.withoutFilters)}>
          {t`Clear filters`}
        </Button>
      ) : null}
    </div>
  );
}

function toggleDrifted(view: RoutesView): RoutesView {
  return { ...view, drift: view.drift === "drifted" ? undefined : "drifted" };
}
