"use client";
import type { OverviewView } from "@cloudwright/store/overview-views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { CopyTextButton } from "../../components/copy-text-button.tsx";
import { DroppedNote } from "../../components/dropped-note.tsx";
import { AsOfNote } from "../../components/freshness/as-of-note.tsx";
import page from "../../components/page.module.css";
import { FailedPage, PageSkeleton } from "../../components/panel-states.tsx";
import { keepUnits } from "../../components/presentation/keep-units.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { useNow } from "../../components/time/ticker.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useUrlState } from "../../components/url/use-url-state.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { GapNotes } from "../../platform/runs/gap-notes.tsx";
import { isWhole } from "../../platform/wording/health-words.ts";
import { overviewSentence, summaryText } from "../../platform/wording/overview-words.ts";
import { BalancersPanel } from "./balancers-panel.tsx";
import { ChangesPanel } from "./changes-panel.tsx";
import { ControllersPanel } from "./controllers-panel.tsx";
import { LastHourPanel } from "./last-hour-panel.tsx";
import { NodesPanel } from "./nodes-panel.tsx";
import styles from "./overview.module.css";
import { overviewUrl } from "./overview-url.ts";
import { ProblemsPanel } from "./problems-panel.tsx";
import { RoutesPanel } from "./routes-panel.tsx";
import { ShadowNote } from "./shadow-note.tsx";
import { TakeoverNote } from "./takeover-note.tsx";

/** The minutes of the last hour pass also while nothing changes. */
const REFETCH_MS = 30_000;

/** Is anything wrong, and what first? (UX brief, section 4) */
export function OverviewPage({ cluster }: { readonly cluster: string }) {
  const api = useApi();
  const { view: shown, dropped, push } = useUrlState(overviewUrl);
  const found = useQuery(
    api.overview.byCluster.queryOptions({ cluster }, { refetchInterval: REFETCH_MS }),
  );
  useShortcuts({ r: () => void found.refetch() });
  if (found.data === undefined) {
    return (
      <div className={page.scrolling}>
        {found.isError ? (
          <FailedPage title="Overview" error={found.error} retry={() => void found.refetch()} />
        ) : (
          <PageSkeleton />
        )}
      </div>
    );
  }
  const view = found.data;
  return (
    <div className={page.scrolling}>
      <OverviewHeader cluster={cluster} view={view} />
      <DroppedNote dropped={dropped} />
      <GapNotes cluster={cluster} />
      <ShadowNote cluster={cluster} />
      <TakeoverNote cluster={cluster} />
      <div className={styles.frame}>
        <div className={styles.layout}>
          <div className={styles.main}>
            <ProblemsPanel cluster={cluster} problems={view.problems} health={view.health} />
            <div className={styles.columns}>
              <NodesPanel cluster={cluster} view={view} />
              <BalancersPanel cluster={cluster} balancers={view.balancers} />
              <RoutesPanel cluster={cluster} routes={view.routes} />
            </div>
            <LastHourPanel
              cluster={cluster}
              minutes={view.minutes}
              shown={shown.hour}
              onShow={(hour) => push((now) => ({ ...now, hour }))}
            />
          </div>
          <div className={styles.beside}>
            <ChangesPanel cluster={cluster} changes={view.changes} />
            <ControllersPanel cluster={cluster} />
          </div>
        </div>
      </div>
    </div>
  );
}

function OverviewHeader({
  cluster,
  view,
}: {
  readonly cluster: string;
  readonly view: OverviewView;
}) {
  const { data, skewMs } = useCluster(cluster);
  const now = useNow() - skewMs;
  const lastChange = view.changes[0]?.at;
  return (
    <header className={styles.header}>
      <h1 className={page.title}>Overview</h1>
      <p className={styles.answer}>
        <AsOfNote />
        {keepUnits(overviewSentence(view, now))}
        {view.problems.length > 0 || !isWhole(view.health) || lastChange === undefined ? null : (
          <>
            {" "}
            Last change <TimeText at={lastChange} />.
          </>
        )}
      </p>
      <span className={page.push} />
      <CopyTextButton
        label="Copy summary"
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
