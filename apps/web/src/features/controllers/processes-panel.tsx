import { formatDuration } from "@cloudwright/core/model/duration";
import type { ControllerInstanceView } from "@cloudwright/store/views";
import { IdentityText } from "../../components/identity-text.tsx";
import page from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import styles from "./controllers.module.css";
import { bytesText, processState } from "./controllers-words.ts";
import { Fact } from "./fact.tsx";

/** The processes that reported within the last hour: who leads, who stands by, and how each fares. */
export function ProcessesPanel({
  instances,
  readAt,
}: {
  readonly instances: readonly ControllerInstanceView[];
  readonly readAt: number;
}) {
  return (
    <Panel title="Processes">
      {instances.length === 0 ? (
        <p className={page.quiet}>No process has reported within the last hour.</p>
      ) : (
        <ul className={styles.list} aria-label="Processes">
          {instances.map((instance) => (
            <li key={instance.identity} className={styles.item}>
              <div className={styles.head}>
                <h3 className={styles.name}>
                  <IdentityText identity={instance.identity} />
                </h3>
                <StatusChip status={processState(instance, readAt)} />
              </div>
              <ProcessFacts instance={instance} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function ProcessFacts({ instance }: { readonly instance: ControllerInstanceView }) {
  const { version, heardAt, startedAt, watchSilentMs, spoolBytes, ledgerLagMs } = instance;
  return (
    <dl className={styles.facts}>
      <Fact term="Last report">
        <TimeText at={heardAt} />
      </Fact>
      <Fact term="Version">{version}</Fact>
      <Fact term="Started">
        {startedAt === undefined ? "not reported" : <TimeText at={startedAt} />}
      </Fact>
      <Fact term="Watch silent for">{keepUnits(formatDuration(watchSilentMs))}</Fact>
      <Fact term="Waiting to be recorded">{keepUnits(waitingText(spoolBytes, ledgerLagMs))}</Fact>
    </dl>
  );
}

function waitingText(bytes: number, lagMs: number | undefined): string {
  if (bytes === 0 || lagMs === undefined || lagMs === 0) return bytesText(bytes);
  return `${bytesText(bytes)}, the oldest for ${formatDuration(lagMs)}`;
}
