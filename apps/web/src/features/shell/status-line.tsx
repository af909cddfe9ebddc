"use client";
import type { ClusterView } from "@cloudwright/store/views";
import { usePreferences } from "../../components/preferences.ts";
import { formatClock, formatElapsed, formatRelative } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { useLive } from "./live-provider.tsx";
import styles from "./status-line.module.css";

/** Who leads, how the cloud's calls go, how old the data is: one line under the top bar. */
export function StatusLine({
  cluster,
  asOf,
  isStale,
}: {
  readonly cluster: ClusterView | undefined;
  readonly asOf: number;
  readonly isStale: boolean;
}) {
  return (
    <section className={styles.line} aria-label="State of the cluster">
      {cluster === undefined ? null : <ClusterFacts cluster={cluster} />}
      <span className={styles.push} />
      {asOf === 0 ? null : <AsOf at={asOf} label={isStale ? "Stale since" : "Data as of"} />}
      <LiveDot isStale={isStale} />
    </section>
  );
}

function ClusterFacts({ cluster }: { readonly cluster: ClusterView }) {
  const now = useNow();
  const { leader } = cluster;
  if (leader === undefined) {
    return <Fact label="Leader">none · last heard {formatRelative(cluster.lastHeardAt, now)}</Fact>;
  }
  const { cloud } = leader;
  return (
    <>
      <Fact label="Leader">{leader.identity}</Fact>
      {leader.leaseTransitions === undefined ? null : (
        <Fact label="Term">{leader.leaseTransitions}</Fact>
      )}
      <Fact label="Heard">{formatRelative(leader.heardAt, now)}</Fact>
      {cloud === undefined ? null : (
        <Fact label={cluster.provider}>
          {cloud.callsLastMinute} calls/min
          {cloud.throttledLastMinute > 0 ? ` · ${cloud.throttledLastMinute} throttled` : ""}
        </Fact>
      )}
      <Fact label="Runs, last hour">
        {cluster.runs.all.toLocaleString("en-GB")}
        {cluster.runs.failed > 0 ? ` · ${cluster.runs.failed.toLocaleString("en-GB")} failed` : ""}
      </Fact>
    </>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <span className={styles.fact}>
      <span className={styles.label}>{label}</span> {children}
    </span>
  );
}

function AsOf({ at, label }: { readonly at: number; readonly label: string }) {
  const { zone } = usePreferences();
  const now = useNow();
  return (
    <span className={styles.fact}>
      <span className={styles.label}>{label}</span> {formatClock(at, zone, now)}
    </span>
  );
}

function LiveDot({ isStale }: { readonly isStale: boolean }) {
  const { status, lostAt, setPaused } = useLive();
  const now = useNow();
  const words = {
    live: isStale ? "Stale" : "Live",
    connecting: "Connecting",
    reconnecting: `Reconnecting (${formatElapsed(now - (lostAt ?? now))})`,
    paused: "Paused",
  }[status];
  return (
    <button
      type="button"
      className={styles.live}
      data-status={isStale ? "reconnecting" : status}
      title={status === "paused" ? "Go on updating (p)" : "Pause updating (p)"}
      onClick={() => setPaused(status !== "paused")}
    >
      <span className={styles.dot} aria-hidden="true" />
      <span role="status">{words}</span>
    </button>
  );
}
