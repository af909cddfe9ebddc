"use client";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useApi } from "../../components/api.ts";
import { IdentityText } from "../../components/identity-text.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { ScrollBox } from "../../components/scroll-edges/scroll-edges.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { ControllersControl } from "../../platform/controls/controllers-control.tsx";
import styles from "./settings.module.css";

/** Of each cluster the processes that run it, and the loops of its leader. The cluster of the frame comes first. */
export function ControllersSection({ cluster }: { readonly cluster: string | undefined }) {
  const api = useApi();
  const clusters = useQuery(api.clusters.list.queryOptions(undefined, { refetchInterval: 10_000 }));
  if (clusters.data === undefined) {
    return <Pending query={clusters} lines={6} />;
  }
  if (clusters.data.length === 0) {
    return (
      <EmptyState title="No cluster has reported yet">
        A cluster appears here with its first controller's heartbeat.
      </EmptyState>
    );
  }
  const ordered = clusters.data.toSorted(
    (left, right) => Number(right.id === cluster) - Number(left.id === cluster),
  );
  return ordered.map((view) => <ClusterControllers key={view.id} view={view} />);
}

function ClusterControllers({ view }: { readonly view: ClusterView }) {
  const id = useId();
  const { leader } = view;
  return (
    <section className={`${page.card} ${styles.panel}`} aria-labelledby={id}>
      <h2 id={id} className={styles.panelTitle}>
        {view.name}
      </h2>
      {leader === undefined ? (
        <p className="quiet small light">No controller leads, so no loop runs.</p>
      ) : (
        <ControllersControl cluster={view.id} leader={leader} />
      )}
      <Instances instances={view.instances} />
    </section>
  );
}

function Instances({ instances }: { readonly instances: readonly ControllerInstanceView[] }) {
  return (
    <ScrollBox className="scroll-x">
      <table className={styles.matrix}>
        <caption className={styles.caption}>Processes of the last hour</caption>
        <thead>
          <tr>
            <th scope="col">Process</th>
            <th scope="col">Part</th>
            <th scope="col">Version</th>
            <th scope="col">Heard</th>
            <th scope="col">Waiting to be recorded</th>
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
  const part = leader ? "leads" : "stands by";
  return dryRun ? `${part}, dry run` : part;
}

function formatBytes(bytes: number): string {
  if (bytes === 0) return "nothing";
  if (bytes < 1_048_576) return `${Math.ceil(bytes / 1_024)} KiB`;
  return `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
