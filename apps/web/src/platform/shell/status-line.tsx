"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView, ControllerInstanceView } from "@cloudwright/store/views/clusters";
import { useFreshness, useFreshnessMessages } from "../../components/freshness/freshness.ts";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { formatClock, formatRelative } from "../../components/time/format-time.ts";
import { useNow } from "../../components/time/ticker.ts";
import { ClockText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useLive } from "../live/live-provider.tsx";
import styles from "./status-line.module.css";

/** The leader, the state of cloud calls and the age of the data: one line under the top bar. */
export function StatusLine({ cluster }: { readonly cluster: ClusterView | undefined }) {
  return (
    <div
      className={`flex centred rigid nowrap small figures second on-canvas line-below ${styles.line}`}
    >
      <section
        className={`flex centred fill narrows gap-4 scroll-x ${styles.facts}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, and that must need no pointer.
        tabIndex={0}
        aria-label={t`State of the cluster`}
      >
        {cluster === undefined ? null : <ClusterFacts cluster={cluster} />}
        <span className="fill" />
        <AsOf />
      </section>
      <LiveButton />
    </div>
  );
}

function ClusterFacts({ cluster }: { readonly cluster: ClusterView }) {
  const now = useNow();
  const { leader } = cluster;
  if (leader === undefined) {
    return (
      <Fact
        label={t`Leader`}
      >{mixed`none · last report ${formatRelative(cluster.lastHeardAt, now)}`}</Fact>
    );
  }
  const { cloud } = leader;
  return (
    <>
      <Fact label={t`Leader`}>
        <IdentityText identity={leader.identity} />
      </Fact>
      {leader.leaseTransitions === undefined ? null : (
        <Fact label={t`Term`}>{leader.leaseTransitions}</Fact>
      )}
      {/* Its clock may be ahead of ours. */}
      <Fact label={t`Last report`}>{formatRelative(Math.min(leader.heardAt, now), now)}</Fact>
      {leader.ledgerLagMs === undefined || leader.ledgerLagMs < LAG_SHOWN_MS ? null : (
        <Fact label={t`Lag`}>{formatDuration(leader.ledgerLagMs)}</Fact>
      )}
      {cloud === undefined ? null : (
        <Fact label={cluster.provider}>
          <Link href={addresses.budget(cluster.id)} className="plain-link" prefetch={false}>
            {callsText(cloud)}
          </Link>
        </Fact>
      )}
      <Fact label={t`Runs, last hour`}>{runsText(cluster.runs)}</Fact>
    </>
  );
}

/** In normal operation, records are written within this time. */
const LAG_SHOWN_MS = 2_000;

function runsText({ all, failed }: ClusterView["runs"]): string {
  return failed > 0 ? t`${formatCount(all)} · ${formatCount(failed)} failed` : formatCount(all);
}

function callsText({
  callsLastMinute,
  throttledLastMinute,
  allowedPerSecond,
}: NonNullable<ControllerInstanceView["cloud"]>): string {
  const limit = allowedPerSecond === undefined ? "" : `/${Math.round(allowedPerSecond * 60)}`;
  const calls = `${callsLastMinute}${limit}`;
  return throttledLastMinute > 0
    ? t`${calls} calls/min · ${throttledLastMinute} throttled`
    : t`${calls} calls/min`;
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <span>
      <span className="quiet">{label}</span> {children}
    </span>
  );
}

function AsOf() {
  const { asOf } = useFreshness();
  const { asOfLabel } = useFreshnessMessages();
  return asOf === undefined ? null : (
    <Fact label={asOfLabel}>
      <ClockText at={asOf} />
    </Fact>
  );
}

function LiveButton() {
  const { stream, setPaused } = useLive();
  const { asOf } = useFreshness();
  const { dot, asOfLabel } = useFreshnessMessages();
  const { zone } = usePreferences();
  const now = useNow();
  const isPaused = stream.kind === "paused";
  const does = isPaused ? t`resume updates` : t`pause updates`;
  return (
    <>
      <button
        type="button"
        className={`inline-flex centred rigid gap-icon medium see-through pointer ${styles.live}`}
        data-tone={dot.tone}
        aria-label={`${dot.text}, ${does}`}
        title={
          asOf === undefined
            ? t`${dot.word}: ${does} (p).`
            : t`${dot.word}: ${does} (p). ${asOfLabel} ${formatClock(asOf, zone, now)}.`
        }
        onClick={() => setPaused(!isPaused)}
      >
        <span className={styles.dot} aria-hidden="true" />
        <span>
          {dot.word}
          <span className={styles.when}>{dot.text.slice(dot.word.length)}</span>
        </span>
      </button>
      <span role="status" className="visually-hidden">
        {mixed`Updates: ${dot.word}`}
      </span>
    </>
  );
}
