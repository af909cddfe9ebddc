"use client";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { IdentityText } from "../../components/identity-text.tsx";
import { ScrollBox } from "../../components/scroll-edges/scroll-edges.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { ControllersControl } from "../../platform/controls/controllers-control.tsx";
import { EachCluster } from "./each-cluster.tsx";
import styles from "./settings.module.css";
import { SettingsPanel } from "./settings-panel.tsx";

/** Of each cluster the processes that run it, and the loops of its leader. The cluster of the frame comes first. */
export function ControllersSection({ cluster }: { readonly cluster: string | undefined }) {
  return (
    <EachCluster
      first={cluster}
      refetchMs={10_000}
      none="A cluster appears here with its first controller's heartbeat."
    >
      {(view) => <ClusterControllers view={view} />}
    </EachCluster>
  );
}

function ClusterControllers({ view }: { readonly view: ClusterView }) {
  const { leader } = view;
  return (
    <SettingsPanel title={view.name}>
      {leader === undefined ? (
        <p className="quiet small light">No controller leads, so no loop runs.</p>
      ) : (
        <ControllersControl cluster={view.id} leader={leader} />
      )}
      <Instances instances={view.instances} />
    </SettingsPanel>
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
