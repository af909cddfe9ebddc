"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { TakeoverView } from "@cloudwright/store/views/takeover";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { type Tab, Tabs } from "../../components/page/tabs.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import type { Column } from "../../components/table/column.ts";
import { textColumn, timeColumn } from "../../components/table/columns.tsx";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { uidOf } from "../../platform/lists/list-view.ts";
import { AdoptedList } from "./adopted-list.tsx";
import { routesText, takeoverSentence } from "./takeover-messages.ts";
import {
  FoundList,
  objectColumn,
  runColumn,
  type TakeoverListProps,
  useFound,
} from "./takeover-parts.tsx";
import { type ReportedRow, reportedRows } from "./takeover-rows.ts";
import { type TakeoverList, takeoverUrl } from "./takeover-url.ts";
import { WaitingList } from "./waiting-list.tsx";

/** What an earlier manager left: what waits for consent, what was adopted, and what is only reported. */
export function TakeoverPage() {
  const cluster = useClusterId();
  const api = useApi();
  const { view, dropped, push, replace } = useUrlState(takeoverUrl);
  const found = useQuery(api.takeover.byCluster.queryOptions({ cluster }));
  const counts = found.data?.counts;
  const isWhole = found.data?.unread?.every((part) => part === "open");
  return (
    <div className={page.page}>
      <PageHead
        title={t`Takeover`}
        sentence={counts === undefined ? undefined : takeoverSentence(counts, isWhole)}
      />
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`Lists`}
        tabs={tabsOf(counts)}
        current={view.list}
        onChange={(list) => push((now) => ({ ...now, list }))}
      >
        <List {...{ view, push, replace, found }} />
      </Tabs>
    </div>
  );
}

function List(props: TakeoverListProps) {
  switch (props.view.list) {
    case "waiting":
      return <WaitingList {...props} />;
    case "adopted":
      return <AdoptedList {...props} />;
    case "reported":
      return <ReportedList {...props} />;
  }
}

function tabsOf(counts: TakeoverView["counts"] | undefined): readonly Tab<TakeoverList>[] {
  const note = (count: number | undefined) =>
    count === undefined || count === 0 ? undefined : formatCount(count);
  const { waiting, adopted, proven, reported } = counts ?? {};
  return [
    {
      id: "waiting",
      label: t`Waiting`,
      note: note(waiting === undefined ? undefined : waiting.balancers + waiting.routes),
    },
    {
      id: "adopted",
      label: t`Adopted`,
      note: note(
        adopted === undefined
          ? undefined
          : adopted.proofs + adopted.consent + adopted.flag + (proven ?? 0),
      ),
    },
    { id: "reported", label: t`Only reported`, note: note(reported) },
  ];
}

/** Nodes with routes that `--adopt=report` leaves as they are. */
function ReportedList(props: TakeoverListProps) {
  const cluster = useClusterId();
  const rows = useFound(props, reportedRows);
  const columns = useMemo(() => reportedColumns(cluster), [cluster]);
  return (
    <FoundList
      {...props}
      label={t`Only reported`}
      part="reported"
      table="takeover-reported"
      about={t`Two proofs show that these routes are their nodes', and --adopt=report leaves them as they are. Load balancers that it leaves wait for consent.`}
      columns={columns}
      rows={rows}
      rowKey={uidOf}
      none={
        <EmptyState title={t`No route is only reported`}>
          {mixed`A route without an owner is listed here when two proofs show whose it is and the
            controller runs with ${<code>--adopt=report</code>}. Without that flag such a route is
            adopted.`}
        </EmptyState>
      }
    />
  );
}

export function reportedColumns(cluster: string): readonly Column<ReportedRow, never>[] {
  return [
    objectColumn(cluster),
    textColumn(
      ["resource", t`Cloud resource`, 300, { grows: true, narrow: "line", folds: true }],
      ({ routes }) => routesText(routes),
    ),
    timeColumn(["seen", t`Last seen`, 120, { align: "end", narrow: "second" }], ({ asOf }) => asOf),
    runColumn(cluster),
  ];
}
