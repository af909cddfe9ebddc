"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import type { VolumeRow } from "@cloudwright/store/views/volumes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { volumeRetry } from "../../platform/actions/action-choice.ts";
import { IdleNote, IdlePage } from "../../platform/lists/idle-controller.tsx";
import { PAGE_SIZE, PAGED } from "../../platform/lists/paging.ts";
import { type RecordListOf, RecordSection } from "../../platform/lists/record-list.tsx";
import { useCluster, useHealth, useIsRunning } from "../../platform/live/use-cluster.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { volumeColumns } from "./volume-columns.tsx";
import { volumesSentence } from "./volume-messages.ts";
import { VolumePeek } from "./volume-peek.tsx";
import { type VolumesView, volumesUrl } from "./volumes-url.ts";

/** The disks of PersistentVolumes: where they are, and whether their labels say so (UX brief, section 7). */
export function VolumesPage({ cluster }: { readonly cluster: string }) {
  const counts = useCluster(cluster).data?.volumes;
  const isOff = useIsRunning(cluster, speakerFor("PersistentVolume")) === false;
  if (isOff && counts !== undefined && presentNodes(counts.states) === 0) return <NotSelected />;
  return <Volumes cluster={cluster} isOff={isOff} />;
}

function NotSelected() {
  return (
    <IdlePage title="Volumes" controller="volume controller">
      It is off by default: turn it on with{" "}
      <code>--controllers=*,{speakerFor("PersistentVolume")}</code>. A cluster whose disks all come
      from CSI drivers does not need it.
    </IdlePage>
  );
}

function Volumes({ cluster, isOff }: { readonly cluster: string; readonly isOff: boolean }) {
  const api = useApi();
  const { view, dropped, push, replace } = useUrlState(volumesUrl);
  const volumes = useInfiniteQuery(
    api.volumes.list.infiniteQueryOptions(
      { cluster, filter: volumesUrl.filter(view), sort: view.sort, limit: PAGE_SIZE },
      PAGED,
    ),
  );
  const counts = firstPageOf(volumes.data)?.counts;
  const { alarms } = useHealth(cluster, ["PersistentVolume"]);
  return (
    <div className={page.page}>
      <PageHead
        title="Volumes"
        alarm={alarms}
        sentence={counts === undefined ? undefined : volumesSentence(counts)}
      />
      <RecordSection
        {...{ cluster, view, push, replace }}
        list={VOLUMES}
        query={volumes}
        counts={counts?.states}
        note={
          <>
            <DroppedNote dropped={dropped} />
            {isOff ? <IdleNote controller="volume controller" /> : null}
          </>
        }
      />
    </div>
  );
}

const VOLUMES: RecordListOf<VolumeRow, VolumesView> = {
  ...{ label: "Volumes", thing: "volume", of: "volumes", table: "volumes", url: volumesUrl },
  placeholder: "Volume, disk, claim or zone",
  columns: volumeColumns,
  folds: "always",
  retryOf: (row, cluster) => volumeRetry({ ...row, cluster }),
  none: (
    <EmptyState title="No volume yet">
      A PersistentVolume appears here as soon as the controller has observed its disk. CSI drivers
      label their own disks.
    </EmptyState>
  ),
  beside: (row) => <VolumePeek {...row} />,
};
