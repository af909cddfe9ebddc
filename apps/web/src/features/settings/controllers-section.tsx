"use client";
import { staleNote } from "@cloudwright/core/model/freshness/freshness-messages";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import type { ReactNode } from "react";
import { IsOldContext, useIsOld } from "../../components/freshness/freshness.ts";
import { IdentityText } from "../../components/identity-text.tsx";
import { Skeleton } from "../../components/page/panel-states.tsx";
import { ScrollBox } from "../../components/scroll-edges/scroll-edges.tsx";
import { TimeText, useTimeLabels } from "../../components/time/time-text.tsx";
import { useFetched } from "../../components/use-fetched.ts";
import { ControllersControl } from "../../platform/controls/controllers-control.tsx";
import { clusterSilence } from "../../platform/live/cluster-state.ts";
import { EachCluster } from "./each-cluster.tsx";
import styles from "./settings.module.css";
import { SettingsPanel } from "./settings-panel.tsx";

/** For each cluster, its processes and its leader's loops. The frame's cluster comes first. */
export function ControllersSection({ cluster }: { readonly cluster: string | undefined }) {
  return (
    <EachCluster
      first={cluster}
      refetchMs={10_000}
      none={t`A cluster appears here with its first controller's heartbeat.`}
    >
      {(view, readAt) => <ClusterControllers view={view} readAt={readAt} />}
    </EachCluster>
  );
}

function ClusterControllers({
  view,
  readAt,
}: {
  readonly view: ClusterView;
  /** By the server's clock. */
  readonly readAt: number;
}) {
  const { leader } = view;
  return (
    <SettingsPanel title={view.name}>
      {leader === undefined ? (
        <p className="quiet small light">{t`No controller leads, so nothing is reconciled.`}</p>
      ) : (
        <ClusterAge cluster={view} readAt={readAt}>
          <ControllersControl cluster={view.id} leader={leader} />
          <Settings cluster={view.id} leader={leader} />
        </ClusterAge>
      )}
      <Instances instances={view.instances} />
    </SettingsPanel>
  );
}

async function loadSettings() {
  return (await import("./running-settings.tsx")).RunningSettings;
}

/** Fetched separately, so that users looking for a paused controller do not have to wait for it. */
function Settings(shown: {
  readonly cluster: string;
  readonly leader: NonNullable<ClusterView["leader"]>;
}) {
  const Table = useFetched(loadSettings, 1);
  return Table === undefined ? <Skeleton lines={4} /> : <Table {...shown} />;
}

/** The age of the leader's last report, if it is silent: this cluster may differ from the one whose frame this is in. */
function ClusterAge({
  cluster,
  readAt,
  children,
}: {
  readonly cluster: ClusterView;
  readonly readAt: number;
  readonly children: ReactNode;
}) {
  const time = useTimeLabels();
  const isPageOld = useIsOld();
  const since = clusterSilence(cluster, readAt);
  return (
    <IsOldContext value={isPageOld || since !== undefined}>
      {since === undefined ? null : (
        <p>
          <strong>{staleNote(since, time)}</strong>
        </p>
      )}
      {children}
    </IsOldContext>
  );
}

function Instances({ instances }: { readonly instances: readonly ControllerInstanceView[] }) {
  if (instances.length === 0) {
    return <p className="quiet small light">{t`No process has reported within the last hour.`}</p>;
  }
  return (
    <ScrollBox className="scroll-x">
      <table className={styles.matrix}>
        <caption className={`start small quiet ${styles.caption}`}>
          {t`Processes of the last hour`}
        </caption>
        <thead>
          <tr>
            <th scope="col">{t`Process`}</th>
            <th scope="col">{t`Part`}</th>
            <th scope="col">{t`Version`}</th>
            <th scope="col">{t`Last report`}</th>
            <th scope="col">{t`Waiting to be recorded`}</th>
          </tr>
        </thead>
        <tbody>
          {instances.map((instance) => (
            <tr key={instance.identity}>
              <th scope="row">
                <IdentityText identity={instance.identity} />
              </th>
              <td>{partOf(instance)}</td>
              <td>{instance.version}</td>
              <td>
                <TimeText at={instance.heardAt} />
              </td>
              <td>{formatBytes(instance.spoolBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function partOf({ leader, dryRun }: ControllerInstanceView): string {
  if (dryRun) return leader ? t`leads, dry run` : t`stands by, dry run`;
  return leader ? t`leads` : t`stands by`;
}

function formatBytes(bytes: number): string {
  if (bytes === 0) return t`nothing`;
  const kib = Math.ceil(bytes / 1_024);
  if (kib < 1_024) return `${kib} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
