"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { Fact } from "../../components/facts/fact.tsx";
import { AsOfNote } from "../../components/freshness/freshness-banner.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { Panel } from "../../components/page/panel.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { PendingPage } from "../../components/page/pending-page.tsx";
import { keepUnits } from "../../components/presentation/format-text.ts";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { GuardPanel } from "../../platform/controls/guard-panel.tsx";
import { pauseObstacle } from "../../platform/controls/pause-buttons.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import styles from "./controllers.module.css";
import {
  bytesText,
  controllersKnownTo,
  controllersSentence,
  idleText,
  processState,
} from "./controllers-messages.ts";
import { RunningPanel } from "./running-panel.tsx";

/** The running loops, the leader, the state of each loop, and the way to pause it. */
export function ControllersPage() {
  const cluster = useClusterId();
  const found = useCluster(cluster);
  useShortcuts({ r: () => void found.refetch() });
  if (found.data === undefined) return <PendingPage title={t`Controllers`} query={found} />;
  return (
    <div className={page.scrolling}>
      <ControllersView view={found.data} readAt={found.dataUpdatedAt - found.skewMs} />
    </div>
  );
}

function ControllersView({
  view,
  readAt,
}: {
  readonly view: ClusterView;
  /** By the server's clock. */
  readonly readAt: number;
}) {
  const { id: cluster, leader, instances, provider } = view;
  return (
    <>
      <header className={page.header}>
        <h1 className={page.title}>{t`Controllers`}</h1>
        <p className="lead second">
          <AsOfNote />
          {keepUnits(controllersSentence(view, readAt))}
        </p>
        <span className="push" />
        <Link href={addresses.settings("flags")}>{t`What they were started with`}</Link>
      </header>
      {leader === undefined ? (
        <EmptyState isCard title={t`No controller leads`}>
          {t`If a replica is running, it takes the Lease within seconds. If none does, check
            its log and /healthz.`}
        </EmptyState>
      ) : (
        <>
          <PermissionsPanel missing={leader.missingPermissions} />
          <RunningPanel leader={leader} />
          <IdlePanel leader={leader} provider={provider} />
        </>
      )}
      <ProcessesPanel instances={instances} readAt={readAt} />
      {leader === undefined ? null : (
        <Panel title={t`Safety`}>
          <GuardPanel
            cluster={cluster}
            guard={leader.controls?.guard}
            obstacle={pauseObstacle(leader)}
          />
        </Panel>
      )}
    </>
  );
}

/** The permissions that the leader lacks; nothing if it has all or nobody has checked. */
function PermissionsPanel({ missing = [] }: { readonly missing: readonly string[] | undefined }) {
  if (missing.length === 0) return null;
  return (
    <Panel title={t`Missing permissions`}>
      <p className={`flex gap-2 ${styles.missing}`}>
        <StatusIcon status={STATE_PRESENTATION.stuck} />
        <span>
          {mixed`The cluster refuses the leader ${countOf(missing.length, "permission")}. What
            needs them fails until an admin of the cluster grants them; it then continues by
            itself.`}
        </span>
      </p>
      <ul className={styles.permissions} aria-label={t`Missing permissions`}>
        {missing.map((permission) => (
          <li key={permission}>
            <code>{permission}</code>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The controllers that do not run here, each with the reason. */
function IdlePanel({
  leader,
  provider,
}: {
  readonly leader: ControllerInstanceView;
  readonly provider: string;
}) {
  const running = new Set(leader.controllers.map(({ name }) => name));
  const idle = controllersKnownTo(leader).filter((name) => !running.has(name));
  if (idle.length === 0) return null;
  return (
    <Panel title={t`Not running here`}>
      <ul className={styles.list} aria-label={t`Controllers that do not run`}>
        {idle.map((name) => (
          <li key={name} className={styles.idle}>
            <h3 className={`break body-size heavy ink ${styles.name}`}>
              {controllerOf(name).label} <code>{name}</code>
            </h3>
            <p className="break second">
              {idleText(
                leader.idle?.find((controller) => controller.name === name),
                provider,
              )}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The processes that reported within the last hour: which one leads, which stand by, and the state of each. */
function ProcessesPanel({
  instances,
  readAt,
}: {
  readonly instances: readonly ControllerInstanceView[];
  readonly readAt: number;
}) {
  return (
    <Panel title={t`Processes`}>
      {instances.length === 0 ? (
        <p className="quiet small">{t`No process has reported within the last hour.`}</p>
      ) : (
        <ul className={styles.list} aria-label={t`Processes`}>
          {instances.map((instance) => (
            <li key={instance.identity} className={styles.item}>
              <div className="row">
                <h3 className={`break body-size heavy ink ${styles.name}`}>
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
      <Fact label={t`Last report`}>
        <TimeText at={heardAt} />
      </Fact>
      <Fact label={t`Version`}>{version}</Fact>
      <Fact label={t`Started`}>
        {startedAt === undefined ? t`not reported` : <TimeText at={startedAt} />}
      </Fact>
      <Fact label={t`Watch silent for`}>{keepUnits(formatDuration(watchSilentMs))}</Fact>
      <Fact label={t`Waiting to be recorded`}>
        {keepUnits(waitingText(spoolBytes, ledgerLagMs))}
      </Fact>
    </dl>
  );
}

function waitingText(bytes: number, lagMs: number | undefined): string {
  if (bytes === 0 || lagMs === undefined || lagMs === 0) return bytesText(bytes);
  return t`${bytesText(bytes)}, the oldest for ${formatDuration(lagMs)}`;
}
