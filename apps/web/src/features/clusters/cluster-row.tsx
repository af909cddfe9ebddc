"use client";
import { staleNote } from "@cloudwright/core/model/freshness/freshness-messages";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { ClusterView } from "@cloudwright/store/views/clusters";
import { AsOfNote } from "../../components/freshness/freshness-banner.tsx";
import { IdentityText } from "../../components/identity-text.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { RowStatus } from "../../components/status/row-status.tsx";
import { useNow } from "../../components/time/ticker.ts";
import { TimeText, useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import {
  clusterSentence,
  clusterSilence,
  clusterState,
} from "../../platform/live/cluster-state.ts";
import styles from "./fleet.module.css";

/** One cluster in one sentence: its state, its leader, and when it last reported. */
export function ClusterRow({
  cluster,
  readAt,
  skewMs,
}: {
  readonly cluster: ClusterView;
  /** By the server's clock. */
  readonly readAt: number;
  readonly skewMs: number;
}) {
  const now = useNow() - skewMs;
  return (
    <li className={`grid centred gap-2-4 pad-3-4 ${styles.row}`}>
      <RowStatus status={STATE_PRESENTATION[clusterState(cluster, readAt)]} />
      <Link href={addresses.overview(cluster.id)} className="strong break">
        {cluster.name}
      </Link>
      <span className={`second break ${styles.sentence}`}>
        <OldNote cluster={cluster} readAt={readAt} />
        {clusterSentence(cluster, now)}
      </span>
      <span className={`small quiet break ${styles.facts}`}>
        <Leader leader={cluster.leader} />
        <span className="block">
          <Lag leader={cluster.leader} />
          {mixed`Last record ${<TimeText at={cluster.lastHeardAt} />}`}
        </span>
      </span>
    </li>
  );
}

function Leader({ leader }: Pick<ClusterView, "leader">) {
  if (leader === undefined) return t`No leader`;
  const { identity, version, dryRun } = leader;
  return (
    <>
      {mixed`Leader ${<IdentityText identity={identity} />} ·
        ${version}`}
      {dryRun ? ` · ${t`dry run`}` : ""}
    </>
  );
}

/** How far the ledger is behind the leader. */
function Lag({ leader }: Pick<ClusterView, "leader">) {
  const lagMs = leader?.ledgerLagMs;
  return lagMs === undefined ? "" : `${t`Lag ${formatDuration(lagMs)}`} · `;
}

/** Stands before a cluster's sentence: since when its state is unknown, whether its leader is silent or this page is stale. */
function OldNote({ cluster, readAt }: { readonly cluster: ClusterView; readonly readAt: number }) {
  const time = useTimeLabels();
  const since = clusterSilence(cluster, readAt);
  return since === undefined ? <AsOfNote /> : <strong>{staleNote(since, time)} </strong>;
}
