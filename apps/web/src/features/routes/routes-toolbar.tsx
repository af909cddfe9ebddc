"use client";
import { ROUTE_VERDICTS } from "@cloudwright/core/model/records/route-record";
import type { RouteRow } from "@cloudwright/store/views/routes";
import { Button } from "../../components/button/button.tsx";
import { ChoiceMenu } from "../../components/menu/choice-menu.tsx";
import { ColumnsMenu } from "../../components/menu/columns-menu.tsx";
import page from "../../components/page/page.module.css";
import { formatCount } from "../../components/presentation/format-text.ts";
import { routeRetry } from "../../platform/actions/action-choice.ts";
import { BULK_MOST } from "../../platform/actions/bulk-choice.ts";
import { openDialog } from "../../platform/actions/dialog-store.ts";
import { GatedButton } from "../../platform/actions/gated-button.tsx";
import { useWhyNot } from "../../platform/actions/use-leave.ts";
import { ChosenOnly, ListToolbar } from "../../platform/lists/list-toolbar.tsx";
import type { ListProps } from "../../platform/lists/list-view.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-cells.ts";
import { tableName, useTables } from "../../platform/objects/route-tables.ts";
import { routeColumns } from "./route-columns.tsx";
import { type Layout, type RoutesView, routesUrl, toggleVerdict } from "./routes-url.ts";

interface ToolbarProps extends ListProps<RoutesView> {
  readonly layout: Layout | undefined;
  /** Those that are loaded. */
  readonly rows: readonly RouteRow[];
}

export function RoutesToolbar({ cluster, view, push, replace, layout, rows }: ToolbarProps) {
  return (
    <ListToolbar
      things="routes"
      placeholder="Node, pod range or route"
      view={view}
      push={push}
      replace={replace}
      url={routesUrl}
      layout={
        <>
          <LayoutButtons layout={layout} push={push} />
          {layout === "list" ? (
            <ColumnsMenu table="routes" columns={routeColumns(cluster, undefined)} />
          ) : null}
        </>
      }
    >
      <ChoiceMenu
        label="Cells"
        choices={ROUTE_VERDICTS.map((id) => ({ id, label: VERDICT_PRESENTATION[id].label }))}
        chosen={new Set(view.verdicts)}
        onToggle={(id) => push((now) => toggleVerdict(now, id))}
      />
      <ChosenTable cluster={cluster} view={view} push={push} />
      <RepairButton cluster={cluster} rows={rows} />
    </ListToolbar>
  );
}

/** The table that the strip of tables led here by. */
function ChosenTable({ cluster, view, push }: Omit<ListProps<RoutesView>, "replace">) {
  const { data: tables } = useTables(cluster);
  if (view.table === undefined) return null;
  return (
    <ChosenOnly
      title="Nodes of this table only. Press to leave it."
      onLeave={() => push((now) => ({ ...now, table: undefined }))}
    >
      Table · {tableName(tables, view.table)}
    </ChosenOnly>
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

/** Repairs what has drifted of the rows that are listed now, once their plans have been seen: never what drifts later. */
function RepairButton({
  cluster,
  rows,
}: {
  readonly cluster: string;
  readonly rows: readonly RouteRow[];
}) {
  const notMine = useWhyNot("retry");
  const drifted = rows.filter(({ drift, state }) => drift === "drifted" && state !== "gone");
  const repaired = drifted.slice(0, BULK_MOST);
  const left = `The first ${BULK_MOST} of the ${formatCount(drifted.length)} that have drifted, so that their plans can be read.`;
  const whyNot = drifted.length === 0 ? "Nothing in this list has drifted." : notMine;
  return (
    <GatedButton
      whyNot={whyNot}
      title={drifted.length > BULK_MOST ? left : undefined}
      onClick={({ currentTarget }) =>
        openDialog({
          choice: {
            kind: "bulk",
            cluster,
            targets: repaired.map((row) => routeRetry({ ...row, cluster })),
            of: "routes",
            onDone: () => undefined,
          },
          opener: currentTarget,
        })
      }
    >
      Repair drift…
    </GatedButton>
  );
}
