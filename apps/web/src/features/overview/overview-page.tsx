"use client";
import { formatDuration } from "@cloudwright/core/model/language/duration";
import { t } from "@cloudwright/core/model/language/text";
import type { OverviewView } from "@cloudwright/store/views/overview";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { CopyTextButton } from "../../components/button/copy-button.tsx";
import { AsOfNote } from "../../components/freshness/freshness-banner.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { PendingPage } from "../../components/page/pending-page.tsx";
import { isUnread, UnreadPart } from "../../components/page/unread-part.tsx";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { useNow } from "../../components/time/ticker.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { choiceParam, urlCodec } from "../../components/url/url-codec.ts";
import { useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { coverageSentence, isAwaited, isWhole } from "../../platform/wording/health-messages.ts";
import { presentNodes } from "../../platform/wording/nodes-sentence.ts";
import { overviewSentence, summaryText } from "../../platform/wording/overview-messages.ts";
import { ChangesPanel } from "./changes-panel.tsx";
import { ControllersPanel } from "./controllers-panel.tsx";
import { LastHourPanel } from "./last-hour-panel.tsx";
import styles from "./overview.module.css";
import { ProblemsPanel } from "./problems-panel.tsx";
import { RoutesPanel } from "./routes-panel.tsx";
import { StateShare } from "./state-share.tsx";

/** The minutes of the last hour move on even if nothing changes. */
const REFETCH_MS = 30_000;

const overviewUrl = urlCodec<{ readonly hour: "bars" | "table" }>({
  hour: choiceParam("hour", ["bars", "table"], "bars"),
});

/** Is anything wrong, and what first? (UX brief, section 4) */
export function OverviewPage() {
  const cluster = useClusterId();
  const api = useApi();
  const { view: shown, dropped, push } = useUrlState(overviewUrl);
  const found = useQuery(
    api.overview.byCluster.queryOptions({ cluster }, { refetchInterval: REFETCH_MS }),
  );
  useShortcuts({ r: () => void found.refetch() });
  if (found.data === undefined) return <PendingPage title={t`Overview`} query={found} />;
  const view = found.data;
  return (
    <div className={page.scrolling}>
      <OverviewHeader view={view} />
      <DroppedNote dropped={dropped} />
      <div className={styles.frame}>
        <div className={styles.layout}>
          <div className={styles.main}>
            <ProblemsPanel problems={view.problems} health={view.health} />
            <div className={styles.columns}>
              <NodesPanel view={view} />
              <LoadBalancersPanel balancers={view.balancers} />
              <RoutesPanel routes={view.routes} />
            </div>
            <LastHourPanel
              minutes={isUnread(view, "minutes") ? undefined : view.minutes}
              shown={shown.hour}
              onShow={(hour) => push((now) => ({ ...now, hour }))}
            />
          </div>
          <div className={styles.beside}>
            <ChangesPanel changes={isUnread(view, "changes") ? undefined : view.changes} />
            <ControllersPanel />
          </div>
        </div>
      </div>
    </div>
  );
}

function OverviewHeader({ view }: { readonly view: OverviewView }) {
  const cluster = useClusterId();
  const { data, skewMs } = useCluster(cluster);
  const now = useNow() - skewMs;
  const lastChange = view.changes[0]?.at;
  return (
    <header className={styles.header}>
      <h1 className={page.title}>{t`Overview`}</h1>
      <p className={`lead medium ink ${styles.answer}`}>
        <AsOfNote />
        {keepUnits(overviewSentence(view, now))}
        {view.problems.length > 0 || !isWhole(view.health) || lastChange === undefined
          ? null
          : lastChangeText(lastChange)}
      </p>
      <span className="push" />
      <CopyTextButton
        label={t`Copy summary`}
        text={() =>
          summaryText({
            view,
            cluster: data,
            now,
            href: `${window.location.origin}${addresses.overview(cluster)}`,
          })
        }
      />
    </header>
  );
}

function lastChangeText(at: number) {
  return <> {mixed`Last change ${<TimeText at={at} />}.`}</>;
}

/** How many nodes there are, their states, and how long they take to become usable. */
function NodesPanel({ view }: { readonly view: OverviewView }) {
  const cluster = useClusterId();
  const { nodes, fleet, health } = view;
  const coverage = coverageSentence(health);
  const all = Math.max(presentNodes(nodes), health.coverage.Node.present);
  if (all === 0 && isAwaited(health.coverage.Node)) {
    return (
      <Panel title={t`Nodes`}>
        <p className="quiet small">
          {t`A node appears here as soon as its kubelet registers and the controller has
            observed it.`}
        </p>
      </Panel>
    );
  }
  return (
    <Panel
      title={t`Nodes`}
      aside={<span className={`heavy tight figures ${styles.figure}`}>{formatCount(all)}</span>}
    >
      <StateShare counts={nodes} list={addresses.nodes(cluster)} />
      {coverage === "" ? null : <p className="strong">{coverage}</p>}
      {isUnread(view, "fleet") ? <UnreadPart /> : <InitTimes fleet={fleet} />}
    </Panel>
  );
}

function InitTimes({ fleet }: Pick<OverviewView, "fleet">) {
  const cluster = useClusterId();
  return (
    <p className="quiet small">
      {fleet === undefined
        ? t`No node has been initialised in the last 7 days.`
        : keepUnits(
            t`From registered to initialised: half within ${formatDuration(fleet.p50Ms)}, 95 % within ${formatDuration(fleet.p95Ms)} (${formatCount(fleet.nodes)} nodes, 7 days).`,
          )}{" "}
      {fleet === undefined ? null : (
        <Link href={addresses.initialisation(cluster)} prefetch={false}>
          {t`Over time`}
        </Link>
      )}
    </p>
  );
}

/** How many load balancers there are, and their states; nothing in a cluster without any. */
function LoadBalancersPanel({
  balancers: { states, drifted, orphans },
}: {
  readonly balancers: OverviewView["balancers"];
}) {
  const cluster = useClusterId();
  const all = presentNodes(states);
  if (all === 0 && orphans === 0) return null;
  const list = addresses.balancers(cluster);
  return (
    <Panel
      title={t`Load balancers`}
      aside={<span className={`heavy tight figures ${styles.figure}`}>{formatCount(all)}</span>}
    >
      <StateShare counts={states} list={list} />
      <ul className={`flex wrap gap-1-4 ${styles.states}`}>
        <li>
          <Link href={`${list}?drift=drifted`}>
            {mixed`${(
              <StatusIcon
                status={drifted === 0 ? DRIFT_PRESENTATION.inStep : DRIFT_PRESENTATION.drifted}
                size={14}
              />
            )}Drifted ${<strong>{formatCount(drifted)}</strong>}`}
          </Link>
        </li>
        <li>
          <Link href={addresses.orphans(cluster)}>
            {mixed`Orphans in the cloud ${<strong>{formatCount(orphans)}</strong>}`}
          </Link>
        </li>
      </ul>
    </Panel>
  );
}
