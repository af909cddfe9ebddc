"use client";
import type { VolumeRow } from "@cloudwright/store/volume-views";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button.tsx";
import { ColumnsMenu } from "../../components/columns-menu.tsx";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { useShortcuts } from "../../components/shortcuts.ts";
import { firstPageOf } from "../../components/table/pages.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { volumeRetry } from "../../platform/actions/action-choice.ts";
import { IdleNote, IdlePage } from "../../platform/lists/idle-controller.tsx";
import { ListHead } from "../../platform/lists/list-head.tsx";
import type { ListProps } from "../../platform/lists/list-props.ts";
import { ListToolbar } from "../../platform/lists/list-toolbar.tsx";
import { toggleFaults } from "../../platform/lists/list-view.ts";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { RecordList } from "../../platform/lists/record-list.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { useHealth } from "../../platform/live/use-health.ts";
import { useIsRunning } from "../../platform/live/use-is-running.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { volumeColumns } from "./volume-columns.tsx";
import { VolumePeek } from "./volume-peek.tsx";
import { volumesSentence } from "./volume-words.ts";
import {
  isFiltered,
  type VolumesView,
  volumesFilter,
  volumesUrl,
  withoutFilters,
} from "./volumes-url.ts";

/** The disks of PersistentVolumes: where they are, and whether their labels say so (UX brief, section 7). */
export function VolumesPage({ cluster }: { readonly cluster: string }) {
  const counts = useCluster(cluster).data?.volumes;
  const isOff = useIsRunning(cluster, "volume-label-controller") === false;
  if (isOff && counts !== undefined && presentNodes(counts.states) === 0) return <NotSelected />;
  return <Volumes cluster={cluster} isOff={isOff} />;
}

function NotSelected() {
  return (
    <IdlePage title="Volumes" controller="volume controller">
      It is off unless it is asked for: add it by{" "}
      <code>--controllers=*,volume-label-controller</code>. A cluster whose disks all come from CSI
      drivers does not need it.
    </IdlePage>
  );
}

function Volumes({ cluster, isOff }: { readonly cluster: string; readonly isOff: boolean }) {
  const { view, dropped, push, replace } = useUrlState(volumesUrl);
  const volumes = useVolumes(cluster, view);
  const counts = firstPageOf(volumes.data)?.counts;
  const { alarms } = useHealth(cluster, ["PersistentVolume"]);
  useShortcuts({ f: () => push(toggleFaults), r: () => void volumes.refetch() });
  return (
    <div className={page.page}>
      <ListHead
        title="Volumes"
        alarm={alarms}
        sentence={counts === undefined ? undefined : volumesSentence(counts)}
        counts={counts?.states}
        view={view}
        push={push}
        dropped={dropped}
      >
        <ListToolbar
          things="volumes"
          placeholder="Volume, disk, claim or zone"
          view={view}
          push={push}
          replace={replace}
          onClear={isFiltered(view) ? () => push(withoutFilters) : undefined}
          layout={<ColumnsMenu table="volumes" columns={volumeColumns(cluster)} />}
        />
      </ListHead>
      {isOff ? <IdleNote controller="volume controller" /> : null}
      <div className={page.tableCard}>
        <VolumesList
          cluster={cluster}
          view={view}
          push={push}
          replace={replace}
          volumes={volumes}
        />
      </div>
    </div>
  );
}

function useVolumes(cluster: string, view: VolumesView) {
  const api = useApi();
  return useInfiniteQuery(
    api.volumes.list.infiniteQueryOptions(
      { cluster, filter: volumesFilter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
}

function VolumesList({
  volumes,
  ...props
}: ListProps<VolumesView> & { readonly volumes: ReturnType<typeof useVolumes> }) {
  const { cluster, view, push } = props;
  const columns = useMemo(() => volumeColumns(cluster), [cluster]);
  const retryOf = useCallback((row: VolumeRow) => volumeRetry({ ...row, cluster }), [cluster]);
  return (
    <RecordList
      {...props}
      label="Volumes"
      thing="volume"
      of="volumes"
      table="volumes"
      query={volumes}
      url={volumesUrl}
      isFiltered={isFiltered(view)}
      columns={columns}
      folds="always"
      retryOf={retryOf}
      empty={<NoVolumes view={view} push={push} />}
      beside={(name, onClose) => <VolumePeek cluster={cluster} name={name} onClose={onClose} />}
    />
  );
}

function NoVolumes({ view, push }: Pick<ListProps<VolumesView>, "view" | "push">) {
  if (isFiltered(view)) {
    return (
      <EmptyState title="No volume matches this filter">
        <Button onClick={() => push(withoutFilters)}>Show all volumes</Button>
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
