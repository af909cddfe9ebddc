"use client";
import { t } from "@cloudwright/core/model/language/text";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { CommentTarget } from "@cloudwright/store/views/comments";
import type { RunDetail } from "@cloudwright/store/views/views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { DiffTable, keyedChanges } from "../../../components/facts/diff-table.tsx";
import { JsonView } from "../../../components/facts/json-view.tsx";
import { mixed } from "../../../components/language/mixed-text.ts";
import { late } from "../../../components/late.tsx";
import { Link } from "../../../components/link.tsx";
import { useNeighbourKeys } from "../../../components/neighbours/neighbours.tsx";
import page from "../../../components/page/page.module.css";
import { DroppedNote } from "../../../components/page/page-head.tsx";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { PendingPage } from "../../../components/page/pending-page.tsx";
import { type Tab, Tabs } from "../../../components/page/tabs.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import {
  type ChangeView,
  useClusterId,
  useUrlState,
} from "../../../components/url/use-url-state.ts";
import { Comments } from "../../../platform/comments/lazy-comments.tsx";
import { useCommentCount } from "../../../platform/comments/use-comments.ts";
import { PlanTab } from "./plan-tab.tsx";
import { RunHeader, runNeighbours } from "./run-header.tsx";
import { type RunTab, type RunView, runUrl } from "./run-url.ts";
import { WaterfallTab } from "./waterfall/waterfall-tab.tsx";

const EventsTab = late(() => import("./events-tab.tsx").then((tab) => tab.EventsTab));
const CompareTab = late(() => import("./compare-tab.tsx").then((tab) => tab.CompareTab));

export function RunPage({ id }: { readonly id: string }) {
  const cluster = useClusterId();
  const api = useApi();
  const run = useQuery(
    api.runs.byId.queryOptions(
      { cluster, id },
      // A run ends soon; polling shows its end even if the live stream is lost.
      { refetchInterval: ({ state }) => (state.data?.row.outcome === "running" ? 2_000 : false) },
    ),
  );
  useNeighbourKeys(runNeighbours(cluster, run.data));
  if (run.data === undefined) {
    return <PendingPage title={t`Run`} query={run} notFound={<Unknown />} />;
  }
  return (
    <div className={page.scrolling}>
      <RunHeader run={run.data} />
      <RunTabs run={run.data} />
    </div>
  );
}

function Unknown() {
  const cluster = useClusterId();
  return (
    <EmptyState isPage title={t`No such run is kept in this cluster`}>
      {mixed`Old runs are removed. The current state of a node is on its own page.
        ${<Link href={addresses.runs(cluster)}>{t`Show all runs`}</Link>}.`}
    </EmptyState>
  );
}

function RunTabs({ run }: { readonly run: RunDetail }) {
  const { view, dropped, push, replace } = useUrlState(runUrl);
  const comments = useCommentCount(aboutOf(run));
  const tabs: readonly Tab<RunTab>[] = [
    { id: "waterfall", label: t`Waterfall` },
    { id: "plan", label: t`Plan`, note: countOf(run.changes.length + run.notTaken.length) },
    { id: "diff", label: t`Diff`, note: countOf(run.changes.length) },
    { id: "events", label: t`Events` },
    { id: "compare", label: t`Compare` },
    { id: "comments", label: t`Comments`, note: comments },
    { id: "json", label: "JSON" },
  ];
  return (
    <>
      <DroppedNote dropped={dropped} />
      <Tabs
        label={t`About this run`}
        tabs={tabs}
        current={view.view}
        onChange={(tab) => push((now) => ({ ...now, view: tab, span: undefined }))}
      >
        <TabPanel run={run} view={view} onView={replace} />
      </Tabs>
    </>
  );
}

function TabPanel({
  run,
  view,
  onView,
}: {
  readonly run: RunDetail;
  readonly view: RunView;
  readonly onView: ChangeView<RunView>;
}) {
  switch (view.view) {
    case "waterfall":
      return <WaterfallTab run={run} view={view} onView={onView} />;
    case "plan":
      return <PlanTab run={run} />;
    case "diff":
      return <DiffTab run={run} />;
    case "events":
      return <EventsTab run={run} />;
    case "compare":
      return <CompareTab run={run} view={view} onView={onView} />;
    case "comments":
      return (
        <div className={page.card}>
          <Comments about={aboutOf(run)} />
        </div>
      );
    case "json":
      return <JsonView value={run} label={t`Run ${run.row.id}`} />;
  }
}

function aboutOf({ row }: RunDetail): CommentTarget {
  return { kind: "run", id: row.id };
}

function countOf(count: number): string | undefined {
  return count === 0 ? undefined : String(count);
}

/** The values before and after each change, side by side. */
function DiffTab({ run }: { readonly run: RunDetail }) {
  if (run.changes.length === 0) {
    return (
      <EmptyState isCard title={t`Nothing was changed`}>
        {t`This run planned no write.`}
      </EmptyState>
    );
  }
  return keyedChanges(run.changes).map(({ key, change }) => (
    <section key={key} className={page.card}>
      <h2 className="card-title">
        {change.kind} <span className="quiet light">{objectName(change.target)}</span>
      </h2>
      <DiffTable what={change.kind} before={change.before} after={change.after} />
    </section>
  ));
}
