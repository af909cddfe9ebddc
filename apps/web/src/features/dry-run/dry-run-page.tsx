"use client";
import type { ShadowPage, ShadowRow } from "@cloudwright/store/views/shadow";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { SearchBox } from "../../components/search-box.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { type ChangeView, useUrlState } from "../../components/url/use-url-state.ts";
import { PAGE_SIZE, PAGED, useNextPage } from "../../platform/lists/paging.ts";
import { dryRunColumns } from "./dry-run-columns.tsx";
import { dryRunSentence } from "./dry-run-messages.ts";
import { DryRunPeek } from "./dry-run-peek.tsx";
import { type DryRunView, dryRunFilter, dryRunUrl, type Shown } from "./dry-run-url.ts";

/** What a controller that runs with `--dry-run` would do: of each object its newest plan. */
export function DryRunPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(dryRunUrl);
  const pending = usePending(cluster, view);
  const first = firstPageOf(pending.data);
  const peek = usePeek({ view, push, replace });
  useShortcuts({ r: () => void pending.refetch() });
  const onText = useCallback((text: string) => replace((now) => ({ ...now, text })), [replace]);
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Dry run</h1>
        <p className={page.sentence}>{first === undefined ? "" : dryRunSentence(first)}</p>
      </header>
      <Shadow shadow={first?.shadow} />
      <div className={page.toolbar}>
        <SearchBox
          label="Filter objects"
          placeholder="Name of an object"
          value={view.text}
          onChange={onText}
        />
        <ShowButtons counts={first?.counts} view={view} push={push} />
      </div>
      <DroppedNote dropped={dropped} />
      <div className={page.tableCard}>
        <PendingPanel cluster={cluster} view={view} push={push} peek={peek} pending={pending} />
      </div>
    </div>
  );
}

function usePending(cluster: string, view: DryRunView) {
  const api = useApi();
  return useInfiniteQuery(
    api.shadow.pending.infiniteQueryOptions(
      {
        cluster,
        filter: dryRunFilter(view),
        sort: { by: "object", descending: false },
        limit: PAGE_SIZE,
      },
      PAGED,
    ),
  );
}

function Shadow({ shadow }: { readonly shadow: ShadowPage["shadow"] }) {
  if (shadow === undefined) return null;
  return (
    <p className="quiet small">
      <IdentityText identity={shadow.identity} /> runs dry beside whoever acts, and writes nothing.{" "}
      {shadow.leader ? "" : "It does not lead, so it looks at nothing now. "}
      Heard <TimeText at={shadow.heardAt} />.
    </p>
  );
}

const LABELS: Readonly<Record<Shown, string>> = {
  changes: "Would change",
  stopped: "Would be stopped",
  all: "All",
};

function ShowButtons({
  counts,
  view,
  push,
}: {
  readonly counts: ShadowPage["counts"] | undefined;
  readonly view: DryRunView;
  readonly push: ChangeView<DryRunView>;
}) {
  return (
    <fieldset className={page.plainGroup}>
      <legend className="visually-hidden">What is listed</legend>
      {(["changes", "stopped", "all"] as const).map((show) => (
        <Button
          key={show}
          active={view.show === show}
          aria-pressed={view.show === show}
          onClick={() => push((now) => ({ ...now, show }))}
        >
          {LABELS[show]} {counts === undefined ? "" : formatCount(counts[show])}
        </Button>
      ))}
    </fieldset>
  );
}

interface PanelProps {
  readonly cluster: string;
  readonly view: DryRunView;
  readonly push: ChangeView<DryRunView>;
  readonly peek: Peek;
  readonly pending: ReturnType<typeof usePending>;
}

function PendingPanel(props: PanelProps) {
  const { pending } = props;
  if (pending.data !== undefined) return <PendingTable {...props} pages={pending.data.pages} />;
  return <Pending query={pending} lines={12} />;
}

function PendingTable({
  cluster,
  view,
  push,
  peek,
  pending,
  pages,
}: PanelProps & { readonly pages: readonly ShadowPage[] }) {
  const rows = useMemo(() => rowsOf({ pages }) ?? [], [pages]);
  const columns = useMemo(() => dryRunColumns(cluster), [cluster]);
  const onNearEnd = useNextPage(pending);
  const total = pages[0]?.total;
  const peeked = rows.find(({ runId }) => runId === peek.current);
  if (rows.length === 0) {
    return <NothingPending view={view} push={push} shadow={pages[0]?.shadow} />;
  }
  return (
    <PeekLayout
      peek={
        peeked === undefined ? null : (
          <DryRunPeek cluster={cluster} row={peeked} onClose={() => peek.onPeek(undefined)} />
        )
      }
    >
      <DataTable
        label="What would be done"
        columns={columns}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={rowKey}
        onNearEnd={onNearEnd}
        stale={pending.isPlaceholderData}
        folds="always"
        peek={{ ...peek, idOf: ({ runId }) => runId }}
      />
    </PeekLayout>
  );
}

function rowKey({ controller, object: { kind, namespace = "", name } }: ShadowRow): string {
  return `${controller} ${kind} ${namespace}/${name}`;
}

function NothingPending({
  view,
  push,
  shadow,
}: Pick<PanelProps, "view" | "push"> & { readonly shadow: ShadowPage["shadow"] }) {
  if (shadow === undefined) {
    return (
      <EmptyState title="No controller has run dry in this cluster">
        Start one beside whoever acts, with <code>cloudwright controller --dry-run</code>. It leads
        by a Lease of its own, writes nothing, and what it would do is listed here.
      </EmptyState>
    );
  }
  if (view.text.trim() !== "" || view.controller !== undefined) {
    return (
      <EmptyState title="No object matches this filter">
        <Button onClick={() => push((now) => ({ ...now, text: "", controller: undefined }))}>
          Clear filters
        </Button>
      </EmptyState>
    );
  }
  return view.show === "all" ? (
    <EmptyState title="Nothing has been looked at yet" />
  ) : (
    <EmptyState
      title={view.show === "changes" ? "Nothing would be changed" : "Nothing stands in its way"}
    >
      <Button onClick={() => push((now) => ({ ...now, show: "all" }))}>
        Show all that was looked at
      </Button>
    </EmptyState>
  );
}
