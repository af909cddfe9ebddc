"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { LoadedList } from "../../platform/lists/loaded-list.tsx";
import { PAGED, useLoadedRows } from "../../platform/lists/use-loaded-rows.ts";
import { actionTitle } from "../../platform/wording/action-title.ts";
import { resultText } from "./action-result.ts";

export function ActionsPage() {
  const cluster = useClusterId();
  const actions = useActions(cluster);
  const columns = useMemo(() => actionColumns(cluster), [cluster]);
  const list = useLoadedRows(actions, { what: "actions", keyOf: idOf });
  useShortcuts({ r: () => void actions.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Actions</h1>
        <p className="lead second">What users requested, and what came of it.</p>
        <span className="push" />
        <ExportMenu of={{ list: "actions", cluster, ...ACTIONS_ASKED }} />
      </header>
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <LoadedList
          label="Actions"
          thing="action"
          columns={columns}
          list={list}
          isFiltered={false}
          rowKey={idOf}
          empty={
            <EmptyState title="No actions have been requested yet">
              Open a node and press <strong>Retry now</strong>: its progress and its record appear
              here.
            </EmptyState>
          }
        />
      </div>
    </div>
  );
}

function idOf({ id }: Intent): string {
  return id;
}

const ACTIONS_ASKED = {
  filter: { acting: true },
  sort: { by: "requested", descending: true },
} as const;

function useActions(cluster: string) {
  const api = useApi();
  return useInfiniteQuery(
    api.intents.list.infiniteQueryOptions(
      {
        cluster,
        ...ACTIONS_ASKED,
        limit: 100,
      },
      PAGED,
    ),
  );
}

export function actionColumns(cluster: string): readonly Column<Intent>[] {
  return [
    column(
      ["state", "State", 150, { narrow: "first", value: ({ state }) => state }],
      ({ state }) => <StatusChip status={INTENT_PRESENTATION[state]} />,
    ),
    column(["action", "Action", 240, { narrow: "line", pinned: true }], (intent) => (
      <Link href={addresses.action(cluster, intent.id)} className="strong" prefetch={false}>
        {actionTitle(intent)}
      </Link>
    )),
    column(
      [
        "result",
        "Result",
        320,
        { grows: true, narrow: "line", value: ({ state, result }) => result ?? state },
      ],
      (intent) => <span title={intent.result}>{resultText(intent)}</span>,
    ),
    textColumn(["who", "Asked by", 140], ({ actor }) => actor),
    textColumn(["why", "Reason", 220], ({ why }) => why),
    timeColumn(
      ["when", "Asked", 120, { align: "end", narrow: "second" }],
      ({ requestedAt }) => requestedAt,
    ),
  ];
}
