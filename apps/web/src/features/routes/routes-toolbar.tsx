"use client";
import { ROUTE_VERDICTS } from "@cloudwright/core/model/route-record";
import { DRIFTS } from "@cloudwright/core/model/state";
import type { RouteRow } from "@cloudwright/store/route-views";
import { useCallback } from "react";
import { Button } from "../../components/button.tsx";
import { ChoiceMenu } from "../../components/choice-menu.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import page from "../../components/page.module.css";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { SearchBox } from "../../components/search-box.tsx";
import type { ListProps } from "./list-props.ts";
import { RepairButton } from "./repair-button.tsx";
import { routeColumns } from "./route-columns.tsx";
import {
  FAULTS,
  isFiltered,
  type Layout,
  type RoutesView,
  toggleFaults,
  toggleVerdict,
  withoutFilters,
} from "./routes-url.ts";
import { tableName } from "./table-names.ts";
import { useTables } from "./use-routes.ts";
import { VERDICT_PRESENTATION } from "./verdicts.ts";

interface ToolbarProps extends ListProps {
  readonly layout: Layout | undefined;
  /** Those that are loaded. */
  readonly rows: readonly RouteRow[];
}

export function RoutesToolbar(props: ToolbarProps) {
  const { cluster, view, push, replace, layout, rows } = props;
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  const onlyFaults = view.states.join() === FAULTS.join();
  return (
    <div className={page.toolbar}>
      <SearchBox
        label="Filter routes"
        placeholder="Node, pod range or route"
        value={view.text}
        onChange={onText}
      />
      <Button active={onlyFaults} aria-pressed={onlyFaults} onClick={() => push(toggleFaults)}>
        Faults only
      </Button>
      <ChoiceMenu
        label="Drift"
        choices={DRIFTS.map((id) => ({ id, label: DRIFT_PRESENTATION[id].label }))}
        chosen={new Set(view.drift === undefined ? [] : [view.drift])}
        onToggle={(id) => push((now) => ({ ...now, drift: nextDrift(now, id) }))}
      />
      <ChoiceMenu
        label="Cells"
        choices={ROUTE_VERDICTS.map((id) => ({ id, label: VERDICT_PRESENTATION[id].label }))}
        chosen={new Set(view.verdicts)}
        onToggle={(id) => push((now) => toggleVerdict(now, id))}
      />
      <ChosenOnly cluster={cluster} view={view} push={push} />
      <RepairButton cluster={cluster} rows={rows} />
      <span className={page.wideOnly}>
        <span className={page.push} />
        <LayoutButtons layout={layout} push={push} />
        {layout === "list" ? (
          <ColumnsMenu table="routes" columns={routeColumns(cluster, undefined)} />
        ) : null}
      </span>
    </div>
  );
}

/** What other pages and the tables lead to, each with the way out of it. */
function ChosenOnly({ cluster, view, push }: Omit<ListProps, "replace">) {
  const { data: tables } = useTables(cluster);
  return (
    <>
      {view.table === undefined ? null : (
        <Button
          active
          aria-pressed="true"
          title="Nodes of this table only. Press to leave it."
          onClick={() => push((now) => ({ ...now, table: undefined }))}
        >
          Table · {tableName(tables, view.table)}
        </Button>
      )}
      {view.reason === undefined ? null : (
        <Button
          active
          aria-pressed="true"
          title="Nodes for this reason only. Press to leave it."
          onClick={() => push((now) => ({ ...now, reason: undefined }))}
        >
          Reason · {view.reason}
        </Button>
      )}
      {isFiltered(view) ? (
        <Button look="quiet" onClick={() => push(withoutFilters)}>
          Clear filters
        </Button>
      ) : null}
    </>
  );
}

function LayoutButtons({ layout, push }: Pick<ToolbarProps, "layout" | "push">) {
  return (
    <fieldset className={page.plainGroup}>
      <legend className="visually-hidden">Layout</legend>
      {(["matrix", "list"] as const).map((each) => (
        <Button
          key={each}
          active={layout === each}
          aria-pressed={layout === each}
          onClick={() => push((now) => ({ ...now, layout: each }))}
        >
          {each === "matrix" ? "Matrix" : "List"}
        </Button>
      ))}
    </fieldset>
  );
}

function nextDrift(view: RoutesView, id: string): RoutesView["drift"] {
  return view.drift === id ? undefined : DRIFTS.find((drift) => drift === id);
}
