"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import {
  VOLUME_SORTS,
  type VolumeRow,
  type VolumeSort,
  type VolumesFilter,
} from "@cloudwright/store/views/volumes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote, PageHead } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { firstPageOf } from "../../components/table/pages.ts";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { volumeRetry } from "../../platform/actions/action-choice.ts";
import { IdleNote, IdlePage } from "../../platform/lists/idle-controller.tsx";
import { type ListView, listFilter, listUrl } from "../../platform/lists/list-view.ts";
import { type RecordListOf, RecordSection } from "../../platform/lists/record-list.tsx";
import { PAGE_SIZES, PAGED } from "../../platform/lists/use-loaded-rows.ts";
import { useCluster, useHealth, useIsRunning } from "../../platform/live/use-cluster.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { volumeColumns } from "./volume-columns.tsx";
import { volumesSentence } from "./volume-messages.ts";

/** A volume is opened beside the list by its name. */
type VolumesView = ListView<VolumeSort>;

/** The address of a view: `?q=shop/&state=stuck&drift=drifted&sort=-since`. */
export const volumesUrl = listUrl<VolumesView, VolumesFilter>({
  sorts: VOLUME_SORTS,
  filter: listFilter,
});

/** The disks of PersistentVolumes: where they are, and whether their labels match (UX brief, section 7). */
export function VolumesPage() {
  const cluster = useClusterId();
  const counts = useCluster(cluster).data?.volumes;
  const isOff = useIsRunning(cluster, speakerFor("PersistentVolume")) === false;
  if (isOff && counts !== undefined && presentNodes(counts.states) === 0) return <NotSelected />;
  return <Volumes isOff={isOff} />;
}

function NotSelected() {
  return (
    <IdlePage title={t`Volumes`} controller={t`volume controller`}>
      {mixed`It is off by default: turn it on with
        ${<code>--controllers=*,{speakerFor("PersistentVolume")}</code>}. A cluster whose disks
        all come from CSI drivers does not need it.`}
    </IdlePage>
  );
}

function Volumes({ isOff }: { readonly isOff: boolean }) {
  const cluster = useClusterId();
  const api = useApi();
  const { view, dropped, push, replace } = useUrlState(volumesUrl);
  const volumes = useInfiniteQuery(
    api.volumes.list.infiniteQueryOptions(
      { cluster, filter: volumesUrl.filter(view), sort: view.sort, ...PAGE_SIZES },
      PAGED,
    ),
  );
  const counts = firstPageOf(volumes.data)?.counts;
  const { alarms } = useHealth(cluster, ["PersistentVolume"]);
  return (
    <div className={page.page}>
      <PageHead
        title={t`Volumes`}
        alarm={alarms}
        sentence={counts === undefined ? undefined : volumesSentence(counts)}
      />
      <RecordSection
        {...{ view, push, replace }}
        list={VOLUMES}
        query={volumes}
        counts={counts?.states}
        note={
          <>
            <DroppedNote dropped={dropped} />
            {isOff ? <IdleNote controller={t`volume controller`} /> : null}
          </>
        }
      />
    </div>
  );
}

const VOLUMES: RecordListOf<VolumeRow, VolumesView> = {
  get label() {
    return t`Volumes`;
  },
  thing: "volume",
  of: "volumes",
  table: "volumes",
  url: volumesUrl,
  get placeholder() {
    return t`Volume, disk, claim or zone`;
  },
  columns: volumeColumns,
  folds: "always",
  retryOf: (row, cluster) => volumeRetry({ ...row, cluster }),
  get none() {
    return (
      <EmptyState title={t`No volume yet`}>
        {t`A PersistentVolume appears here as soon as the controller has observed its disk. CSI
        drivers label their own disks.`}
      </EmptyState>
    );
  },
  beside: () => import("./volume-peek.tsx").then(({ VolumePeek }) => VolumePeek),
};
