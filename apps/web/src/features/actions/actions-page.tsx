"use client";
import type { Intent } from "@cloudwright/core/model/intent";
import { t } from "@cloudwright/core/model/language/text";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import { useHiddenColumns } from "../../components/menu/columns-menu.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { WaitingApprovals } from "../../platform/approvals/waiting-approvals.tsx";
import { ListMenus } from "../../platform/lists/list-menus.tsx";
import { LoadedList } from "../../platform/lists/loaded-list.tsx";
import { PAGED, useLoadedRows } from "../../platform/lists/use-loaded-rows.ts";
import { actionColumns } from "./action-columns.tsx";

export function ActionsPage() {
  const cluster = useClusterId();
  const actions = useActions(cluster);
  const columns = useMemo(() => actionColumns(cluster), [cluster]);
  const hidden = useHiddenColumns("actions");
  const list = useLoadedRows(actions, { what: "actions", keyOf: idOf });
  useShortcuts({ r: () => void actions.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>{t`Actions`}</h1>
        <p className="lead second">{t`What users requested, and what came of it.`}</p>
        <span className="push" />
        <ListMenus table="actions" columns={columns} exported={{ cluster, ...ACTIONS_ASKED }} />
      </header>
      <WaitingApprovals most={10} />
      <div className={`flex on-surface line-above ${page.tableCard}`}>
        <LoadedList
          label={t`Actions`}
          thing="action"
          {...{ columns, hidden }}
          list={list}
          isFiltered={false}
          rowKey={idOf}
          empty={
            <EmptyState title={t`No actions have been requested yet`}>
              {mixed`Open a node and press ${<strong>{t`Retry now`}</strong>}: its progress and
                its record appear here.`}
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
