"use client";
import { formatDuration } from "@cloudwright/core/model/duration";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views";
import Link from "next/link";
import { IdentityText } from "../../components/identity-text.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatClock, formatElapsed, formatRelative } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { addresses } from "../../components/url/addresses.ts";
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
    <div className={styles.line}>
      <section
        className={styles.facts}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, and that must need no pointer.
        tabIndex={0}
        aria-label="State of the cluster"
      >
        {cluster === undefined ? null : <ClusterFacts cluster={cluster} />}
        <span className={styles.push} />
        {asOf === 0 ? null : <AsOf at={asOf} label={isStale ? "Stale since" : "Data as of"} />}
      </section>
      <LiveButton isStale={isStale} />
    </div>
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
      <Fact label="Leader">
        <IdentityText identity={leader.identity} />
      </Fact>
      {leader.leaseTransitions === undefined ? null : (
        <Fact label="Term">{leader.leaseTransitions}</Fact>
      )}
      {/* Its clock may be ahead of ours. */}
      <Fact label="Heard">{formatRelative(Math.min(leader.heardAt, now), now)}</Fact>
      {leader.ledgerLagMs === undefined || leader.ledgerLagMs < LAG_SHOWN_MS ? null : (
        <Fact label="Lag">{formatDuration(leader.ledgerLagMs)}</Fact>
      )}
      {cloud === undefined ? null : (
        <Fact label={cluster.provider}>
          <Link href={addresses.budget(cluster.id)} className={styles.link} prefetch={false}>
            {callsText(cloud)}
          </Link>
        </Fact>
      )}
      <Fact label="Runs, last hour">
        {cluster.runs.all.toLocaleString("en-GB")}
        {cluster.runs.failed > 0 ? ` · ${cluster.runs.failed.toLocaleString("en-GB")} failed` : ""}
      </Fact>
    </>
  );
}

/** A record is written within so long when all is well. */
const LAG_SHOWN_MS = 2_000;

function callsText({
  callsLastMinute,
  throttledLastMinute,
  allowedPerSecond,
}: NonNullable<ControllerInstanceView["cloud"]>): string {
  const limit = allowedPerSecond === undefined ? "" : `/${Math.round(allowedPerSecond * 60)}`;
  const throttled = throttledLastMinute > 0 ? ` · ${throttledLastMinute} throttled` : "";
  return `${callsLastMinute}${limit} calls/min${throttled}`;
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

function LiveButton({ isStale }: { readonly isStale: boolean }) {
  const { status, lostAt, setPaused } = useLive();
  const now = useNow();
  const word = isStale && status === "live" ? "Stale" : LIVE_WORDS[status];
  const shown =
    status === "reconnecting" ? `${word} (${formatElapsed(now - (lostAt ?? now))})` : word;
  const does = status === "paused" ? "go on updating" : "pause updating";
  return (
    <>
      <button
        type="button"
        className={styles.live}
        data-status={isStale ? "reconnecting" : status}
        aria-label={`${shown}, ${does}`}
        title={`${word}: ${does} (p)`}
        onClick={() => setPaused(status !== "paused")}
      >
        <span className={styles.dot} aria-hidden="true" />
        <span>{shown}</span>
      </button>
      <span role="status" className="visually-hidden">
        Updates: {word}
      </span>
    </>
  );
}

const LIVE_WORDS = {
  live: "Live",
  connecting: "Connecting",
  reconnecting: "Reconnecting",
  paused: "Paused",
} as const;
