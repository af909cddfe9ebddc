"use client";
import { t, worded } from "@cloudwright/core/model/language/text";
import { BUDGET_RANGES, type BudgetRange, type BudgetView } from "@cloudwright/store/views/budget";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { Button } from "../../components/button/button.tsx";
import { AsOfNote } from "../../components/freshness/freshness-banner.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import page from "../../components/page/page.module.css";
import { DroppedNote } from "../../components/page/page-head.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { FailedPage, PendingPage } from "../../components/page/pending-page.tsx";
import { useFailure } from "../../components/page/use-failure.ts";
import { keepUnits } from "../../components/presentation/format-text.ts";
import { useShortcuts } from "../../components/shortcuts.ts";
import { StretchButtons } from "../../components/time/time-range-buttons.tsx";
import { ClockText, useTimeLabels } from "../../components/time/time-text.tsx";
import type { Stretch } from "../../components/url/time-range.ts";
import { type ChangeView, useClusterId, useUrlState } from "../../components/url/use-url-state.ts";
import { useServerNow } from "../../platform/controls/countdown.tsx";
import type { ExportedView } from "../../platform/lists/export-address.ts";
import { ExportMenu } from "../../platform/lists/export-menu.tsx";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { ViewsMenu } from "../../platform/views/views-menu.tsx";
import styles from "./budget.module.css";
import { budgetSentence, nextChecks } from "./budget-messages.ts";
import { type BudgetPageView, budgetUrl } from "./budget-url.ts";
import { CostsPanel } from "./costs-panel.tsx";
import { LookupsPanel } from "./lookups-panel.tsx";
import { OperationsPanel } from "./operations-panel.tsx";
import { QuotasPanel } from "./quotas-panel.tsx";
import { UsagePanel } from "./usage-panel.tsx";
import { WaitsPanel } from "./waits-panel.tsx";

/** The time range moves on even if no new minute is written. */
const REFETCH_MS = 60_000;

/** The calls to the cloud and to the Kubernetes API, who makes them, and how far they are from the limits. */
export function BudgetPage() {
  const cluster = useClusterId();
  const api = useApi();
  const { view: shown, dropped, push } = useUrlState(budgetUrl);
  const found = useQuery(
    api.budget.byCluster.queryOptions(
      { cluster, range: shown.range, ...shown.between },
      { refetchInterval: REFETCH_MS, placeholderData: keepPreviousData },
    ),
  );
  const failure = useFailure(found);
  useShortcuts({ r: () => void found.refetch() });
  const filter = { range: shown.range, ...shown.between };
  if (found.data === undefined) {
    if (failure === undefined) return <PendingPage title={t`Budget`} query={found} />;
    return (
      <div className={page.scrolling}>
        <FailedPage title={t`Budget`} {...failure}>
          {/* A shorter time may be readable if all of it was too much. */}
          <div className={page.toolbar}>
            <RangeButtons shown={shown} push={push} />
          </div>
        </FailedPage>
        <CloudQuotas />
      </div>
    );
  }
  const exported = { list: "budget", cluster, filter };
  return (
    <div className={page.scrolling} data-stale={found.isPlaceholderData}>
      <BudgetHeader view={found.data} />
      <DroppedNote dropped={dropped} />
      <div className={page.toolbar}>
        <RangeButtons shown={shown} push={push} />
        <span className="push" />
        <ViewsMenu />
        <ExportMenu of={exported} />
      </div>
      <ShownNote view={found.data} between={shown.between} />
      <BudgetContent
        view={found.data}
        shown={shown}
        exported={exported}
        onShow={(use) => push((now) => ({ ...now, use }))}
        onChoose={(between) => push((now) => ({ ...now, between }))}
      />
    </div>
  );
}

function BudgetHeader({ view }: { readonly view: BudgetView }) {
  const cluster = useClusterId();
  const { data, skewMs } = useCluster(cluster);
  const now = useServerNow(skewMs);
  const time = useTimeLabels();
  const leader = data?.leader;
  const resumesAt = leader?.cloud?.resumesAt;
  return (
    <header className={page.header}>
      <h1 className={page.title}>{t`Budget`}</h1>
      <p className="lead second">
        <AsOfNote />
        {data === undefined
          ? ""
          : keepUnits(
              budgetSentence({
                view,
                isLed: leader !== undefined,
                live: leader?.cloud,
                provider: data.provider,
                now,
                nextCheckOf: nextChecks(leader, now),
                time,
              }),
            )}
        {resumesAt === undefined || resumesAt <= now ? null : (
          <> {mixed`They resume at ${<ClockText at={resumesAt} />}.`}</>
        )}
      </p>
    </header>
  );
}

const RANGE_LABELS: Readonly<Record<BudgetRange, string>> = worded({
  hour: () => t`Last hour`,
  day: () => t`Last day`,
});

function RangeButtons({
  shown: { range, between },
  push,
}: {
  readonly shown: BudgetPageView;
  readonly push: ChangeView<BudgetPageView>;
}) {
  const isChosen = (each: BudgetRange) => between === undefined && each === range;
  return (
    <fieldset className={`pad-0 flush frameless ${page.plainGroup}`}>
      <legend className="visually-hidden">{t`Time range`}</legend>
      {BUDGET_RANGES.map((each) => (
        <Button
          key={each}
          appearance={isChosen(each) ? "plain" : "quiet"}
          active={isChosen(each)}
          aria-pressed={isChosen(each)}
          onClick={() => push((now) => ({ ...now, range: each, between: undefined }))}
        >
          {RANGE_LABELS[each]}
        </Button>
      ))}
      <StretchButtons
        between={between}
        onChange={(chosen) => push((now) => ({ ...now, between: chosen }))}
      />
    </fieldset>
  );
}

/** From the leader's last report, whatever the time range. */
function CloudQuotas() {
  const { data } = useCluster(useClusterId());
  return <QuotasPanel services={data?.leader?.cloud?.quotas ?? []} />;
}

/** Says that a stretch is longer than what is shown of it. */
function ShownNote({
  view,
  between,
}: {
  readonly view: BudgetView;
  readonly between: BudgetPageView["between"];
}) {
  if (between === undefined || view.from <= between.from) return null;
  return (
    <p className={`pad-2-3 small round-small ${page.note}`} role="status">
      {t`Only the last 3 days of this time range are shown.`}
    </p>
  );
}

function BudgetContent({
  view,
  shown,
  exported,
  onShow,
  onChoose,
}: {
  readonly view: BudgetView;
  readonly shown: BudgetPageView;
  readonly exported: ExportedView;
  readonly onShow: (use: BudgetPageView["use"]) => void;
  readonly onChoose: (between: Stretch) => void;
}) {
  if (view.minutesKnown === 0) {
    return (
      <>
        <EmptyState isCard title={t`No figures for this time`}>
          {t`A leader records them at the end of each minute. If one has led for longer than
            that, check whether its records reach the database: the Controllers page shows how
            many are waiting.`}
        </EmptyState>
        <CloudQuotas />
      </>
    );
  }
  const { cloud, kube } = view;
  return (
    <>
      {view.isDryRun ? (
        <p className={`pad-2-3 small round-small ${page.note}`}>
          {t`No controller acts here: these are the calls of a dry run.`}
        </p>
      ) : null}
      <UsagePanel
        title={t`Cloud`}
        api={cloud}
        shown={shown.use}
        onShow={onShow}
        onChoose={onChoose}
      />
      <OperationsPanel title={t`Cloud, by operation`} view={view} operations={cloud.operations} />
      <div className={styles.columns}>
        <WaitsPanel view={view} exported={exported} />
        <LookupsPanel lookups={cloud.lookups} exported={exported} />
      </div>
      <CostsPanel view={view} exported={exported} />
      <CloudQuotas />
      <UsagePanel
        title={t`Kubernetes API`}
        api={kube}
        shown={shown.use}
        onShow={onShow}
        onChoose={onChoose}
      />
      <OperationsPanel
        title={t`Kubernetes API, by operation`}
        view={view}
        operations={kube.operations}
      />
    </>
  );
}
