"use client";
import type { VolumesPage as VolumesAnswer } from "@cloudwright/store/volume-views";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { useHiddenColumns } from "../../components/columns-menu.tsx";
import { DroppedNote } from "../../components/dropped-note.tsx";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { PeekLayout } from "../../components/peek-panel/peek-panel.tsx";
import { type Peek, usePeek } from "../../components/peek-panel/use-peek.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { firstPageOf, rowsOf } from "../../components/table/pages.ts";
import { type ChangeView, useUrlState } from "../../components/url/use-url-state.ts";
import { ListFooter } from "../load-balancers/list-footer.tsx";
import { ListWaiting } from "../load-balancers/list-waiting.tsx";
import { StateCounters } from "../nodes/state-counters.tsx";
import { useIsRunning } from "../routes/use-routes.ts";
import { volumeColumns } from "./volume-columns.tsx";
import { VolumePeek } from "./volume-peek.tsx";
import { volumesSentence } from "./volume-words.ts";
import { VolumesToolbar } from "./volumes-toolbar.tsx";
import {
  isFiltered,
  sortedBy,
  toggleFaults,
  toggleState,
  type VolumesView,
  volumesFilter,
  volumesUrl,
  withoutFilters,
} from "./volumes-url.ts";

const PAGE_SIZE = 200;

/** The disks of PersistentVolumes: where they are, and whether their labels say so (UX brief, section 7). */
export function VolumesPage({ cluster }: { readonly cluster: string }) {
  const { view, dropped, push, replace } = useUrlState(volumesUrl);
  const volumes = useVolumes(cluster, view);
  const first = firstPageOf(volumes.data);
  const peek = usePeek({ view, push, replace });
  useShortcuts({ f: () => push(toggleFaults), r: () => void volumes.refetch() });
  return (
    <div className={page.page}>
      <header className={page.header}>
        <h1 className={page.title}>Volumes</h1>
        <p className={page.sentence}>{first === undefined ? "" : volumesSentence(first.counts)}</p>
      </header>
      <StateCounters
        counts={first?.counts.states}
        chosen={view.states}
        onToggle={(state) => push((now) => toggleState(now, state))}
      />
      <VolumesToolbar cluster={cluster} view={view} push={push} replace={replace} />
      <DroppedNote dropped={dropped} />
      <div className={page.tableCard}>
        <VolumesPanel cluster={cluster} view={view} push={push} peek={peek} volumes={volumes} />
      </div>
    </div>
  );
}

function useVolumes(cluster: string, view: VolumesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.volumes.list.infiniteQueryOptions(
      { cluster, filter: volumesFilter(view), sort: view.sort, limit: PAGE_SIZE },
      { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
    ),
  );
}

interface PanelProps {
  readonly cluster: string;
  readonly view: VolumesView;
  readonly push: ChangeView<VolumesView>;
  readonly peek: Peek;
  readonly volumes: ReturnType<typeof useVolumes>;
}

function VolumesPanel(props: PanelProps) {
  const { cluster, peek, volumes } = props;
  if (volumes.data === undefined) return <ListWaiting query={volumes} />;
  return (
    <PeekLayout
      peek={
        peek.current === undefined ? null : (
          <VolumePeek
            cluster={cluster}
            name={peek.current}
            onClose={() => peek.onPeek(undefined)}
          />
        )
      }
    >
      <VolumesTable {...props} pages={volumes.data.pages} />
    </PeekLayout>
  );
}

function VolumesTable({
  cluster,
  view,
  push,
  peek,
  volumes,
  pages,
}: PanelProps & { readonly pages: readonly VolumesAnswer[] }) {
  const hidden = useHiddenColumns("volumes");
  const rows = useMemo(() => rowsOf({ pages }) ?? [], [pages]);
  const columns = useMemo(() => volumeColumns(cluster), [cluster]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = volumes;
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = pages[0]?.total;
  if (rows.length === 0) return <NoVolumes cluster={cluster} view={view} push={push} />;
  return (
    <>
      <DataTable
        label="Volumes"
        columns={columns}
        hidden={hidden}
        rows={rows}
        total={total?.kind === "exact" ? total.count : undefined}
        rowKey={({ uid }) => uid}
        rowTone={({ state }) => state}
        sort={view.sort}
        onSort={(by) => push((now) => sortedBy(now, by))}
        onNearEnd={onNearEnd}
        stale={volumes.isPlaceholderData || volumes.isError}
        folds="always"
        peek={{ ...peek, idOf: ({ name }) => name }}
      />
      <ListFooter
        what="volume"
        total={total}
        isFiltered={isFiltered(view)}
        isOld={volumes.isError}
        isLoading={isFetchingNextPage}
      />
    </>
  );
}

function NoVolumes({ cluster, view, push }: Pick<PanelProps, "cluster" | "view" | "push">) {
  const isRunning = useIsRunning(cluster, "volume-label-controller");
  if (isFiltered(view)) {
    return (
      <EmptyState title="No volume matches this filter">
        <Button onClick={() => push(withoutFilters)}>Show all volumes</Button>
      </EmptyState>
    );
  }
  if (isRunning === false) {
    return (
      <EmptyState title="The volume controller does not run here">
        It is off unless it is asked for: add it by{" "}
        <code>--controllers=*,volume-label-controller</code>. A cluster whose disks all come from
        CSI drivers does not need it.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No volume yet">
      A PersistentVolume appears here as soon as the controller has looked at its disk. Disks of CSI
      drivers are theirs to label.
    </EmptyState>
  );
}
