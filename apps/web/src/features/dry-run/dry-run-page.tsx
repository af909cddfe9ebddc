"use client";
import type { ShadowPage, ShadowRow } from "@cloudwright/store/views/shadow";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { usePeek } from "../../components/peek-panel/use-peek.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { type ChangeView, useUrlState } from "../../components/url/use-url-state.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
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
  const columns = useMemo(() => dryRunColumns(cluster), [cluster]);
  const peeked = rowsOf(pending.data)?.find(({ runId }) => runId === peek.current);
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Dry run</h1>
        <p className={page.sentence}>{first === undefined ? "" : dryRunSentence(first)}</p>
      </header>
      <Shadow shadow={first?.shadow} />
      <DroppedNote dropped={dropped} />
      <SearchedList
        label="What would be done"
        thing="object"
        filter="Filter objects"
        placeholder="Name of an object"
        tools={<ShowButtons counts={first?.counts} view={view} push={push} />}
        {...{ view, push, replace, columns }}
        url={URL_OF_LIST}
        query={pending}
        isFiltered={view.text.trim() !== "" || view.controller !== undefined}
        matchless={{ all: "Clear filters" }}
        none={<NothingPending view={view} push={push} shadow={first?.shadow} />}
        rowKey={rowKey}
        folds="always"
        peek={{ ...peek, idOf: ({ runId }) => runId }}
        beside={
          peeked === undefined ? null : (
            <DryRunPeek cluster={cluster} row={peeked} onClose={() => peek.onPeek(undefined)} />
          )
        }
      />
    </div>
  );
}

const URL_OF_LIST = {
  format: (view: DryRunView) => dryRunUrl.format({ ...view, peek: undefined }),
  withoutFilters: (view: DryRunView) => ({ ...view, text: "", controller: undefined }),
};

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
      <IdentityText identity={shadow.identity} /> is in dry run beside the active controller and
      writes nothing. {shadow.leader ? "" : "It does not lead, so it observes nothing now. "}
      Last heard from <TimeText at={shadow.heardAt} />.
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

function rowKey({ controller, object: { kind, namespace = "", name } }: ShadowRow): string {
  return `${controller} ${kind} ${namespace}/${name}`;
}

function NothingPending({
  view,
  push,
  shadow,
}: {
  readonly view: DryRunView;
  readonly push: ChangeView<DryRunView>;
  readonly shadow: ShadowPage["shadow"];
}) {
  if (shadow === undefined) {
    return (
      <EmptyState title="No controller has done a dry run in this cluster">
        Start one beside the active controller with <code>cloudwright controller --dry-run</code>.
        It leads by a Lease of its own, writes nothing, and what it would do is listed here.
      </EmptyState>
    );
  }
  return view.show === "all" ? (
    <EmptyState title="Nothing has been observed yet" />
  ) : (
    <EmptyState title={view.show === "changes" ? "Nothing would be changed" : "Nothing is blocked"}>
      <Button onClick={() => push((now) => ({ ...now, show: "all" }))}>
        Show everything that was observed
      </Button>
    </EmptyState>
  );
}
