"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ApiBudget, BudgetBucket } from "@cloudwright/store/views/budget";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { Button } from "../../components/button/button.tsx";
import { FiguresTable } from "../../components/facts/figures-table.tsx";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { formatMinute } from "../../components/time/format-time.ts";
import { addresses } from "../../components/url/addresses.ts";
import type { Stretch } from "../../components/url/time-range.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { countOf } from "../../platform/wording/action-title.ts";
import styles from "./budget.module.css";
import { shareText } from "./budget-messages.ts";
import type { BudgetPageView } from "./budget-url.ts";
import { mergeBuckets, type UsageProps } from "./usage-bars.ts";
import { UsageChart } from "./usage-chart.tsx";

/** Merges the bars to this many where there is no room for all, each wide enough for a thumb. */
const NARROW_BARS = 12;

/** The calls to an API over time; each bar links to the runs of its time. */
export function UsagePanel({
  title,
  api,
  shown,
  onShow,
  onChoose,
}: {
  readonly title: string;
  readonly api: ApiBudget;
  readonly shown: BudgetPageView["use"];
  readonly onShow: (shown: BudgetPageView["use"]) => void;
  /** Called when a drag over the bars selects their time. */
  readonly onChoose: (stretch: Stretch) => void;
}) {
  const cluster = useClusterId();
  const isNarrow = useMediaQuery("(max-width: 44em)") ?? false;
  const { buckets } = api;
  const merged = useMemo(
    () => mergeBuckets(buckets, isNarrow ? Math.ceil(buckets.length / NARROW_BARS) : 1),
    [buckets, isNarrow],
  );
  const isTable = shown === "table";
  const usage = { cluster, label: t`${title}, calls`, buckets: merged, filter: "calls>0" };
  return (
    <Panel
      title={title}
      aside={
        <>
          <span className="quiet small">{summary(buckets)}</span>
          <Button
            appearance="quiet"
            aria-pressed={isTable}
            onClick={() => onShow(isTable ? "bars" : "table")}
          >
            {isTable ? t`Show as bars` : t`Show as table`}
            <span className="visually-hidden"> {t`for ${title}`}</span>
          </Button>
        </>
      }
    >
      {isTable ? <UsageTable {...usage} /> : <UsageChart {...usage} onChoose={onChoose} />}
      {isTable ? null : <Legend buckets={merged} />}
    </Panel>
  );
}

function summary(buckets: readonly BudgetBucket[]): string {
  const sum = (what: "calls" | "throttled") =>
    buckets.reduce((total, { use }) => total + (use?.[what] ?? 0), 0);
  return t`${countOf(sum("calls"), "call")} · ${formatCount(sum("throttled"))} answered 429`;
}

function Legend({ buckets }: { readonly buckets: readonly BudgetBucket[] }) {
  const limits = buckets.flatMap(({ use }) => use?.limitPerMinute ?? []);
  return (
    <p className={`flex centred wrap gap-1-4 small second ${styles.legend}`}>
      <span data-band="well">{t`Below 70 % of the limit`}</span>
      <span data-band="near">{t`From 70 %`}</span>
      <span data-band="over">{t`From 90 %, or a 429`}</span>
      <span data-band="unknown">{t`Not known`}</span>
      <span className="quiet small">{limitText(limits)}</span>
      <span className="quiet small">{t`Drag over bars to zoom in.`}</span>
    </p>
  );
}

function limitText(limits: readonly number[]): string {
  if (limits.length === 0) return t`No limit was known in this time.`;
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  if (least === most) return t`The limit was ${countOf(least, "call")} a minute.`;
  return t`The limit was between ${formatCount(least)} and ${formatCount(most)} calls a minute.`;
}

/** The same as the bars, newest first, without times that had no calls. */
function UsageTable({ label, buckets, filter }: UsageProps) {
  const cluster = useClusterId();
  const { zone } = usePreferences();
  const busy = buckets
    .flatMap(({ at, until, use }) =>
      use === undefined || use.calls === 0 ? [] : [{ at, until, use }],
    )
    .toReversed();
  return (
    <FiguresTable
      label={label}
      rows={busy}
      rowKey={({ at }) => String(at)}
      empty={t`No calls were made in this time, as far as is known.`}
      columns={[
        {
          header: t`From`,
          cell: ({ at, until }) => (
            <Link
              href={addresses.runsWithin(cluster, { from: at, to: until }, filter)}
              prefetch={false}
            >
              {formatMinute(at, zone)}
            </Link>
          ),
        },
        { header: t`Calls`, cell: ({ use }) => formatCount(use.calls) },
        { header: t`Busiest minute`, cell: ({ use }) => formatCount(use.callsPerMinute) },
        { header: t`Answered 429`, cell: ({ use }) => formatCount(use.throttled) },
        {
          header: t`Limit a minute`,
          cell: ({ use }) =>
            use.limitPerMinute === undefined ? t`none` : formatCount(use.limitPerMinute),
        },
        { header: t`Of the limit`, cell: ({ use }) => shareText(use.share) },
      ]}
    />
  );
}
