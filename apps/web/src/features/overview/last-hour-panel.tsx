"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RunMinute } from "@cloudwright/store/views/overview";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { Button } from "../../components/button/button.tsx";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import { Panel } from "../../components/page/panel.tsx";
import { UnreadPart } from "../../components/page/unread-part.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount } from "../../components/presentation/format-text.ts";
import { formatMinute } from "../../components/time/format-time.ts";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { HourBars } from "./hour-bars.tsx";
import { type Bar, barsOf } from "./hour-counts.ts";
import styles from "./last-hour.module.css";

/** Minutes per bar where there is no room for sixty. */
const NARROW_MINUTES = 5;

/** The runs of the last hour, minute by minute; each bar links to its runs. */
export function LastHourPanel({
  minutes,
  shown,
  onShow,
}: {
  /** Undefined if they could not be read. */
  readonly minutes: readonly RunMinute[] | undefined;
  readonly shown: "bars" | "table";
  readonly onShow: (shown: "bars" | "table") => void;
}) {
  const isNarrow = useMediaQuery("(max-width: 44em)") ?? false;
  const bars = useMemo(
    () => barsOf(minutes ?? [], isNarrow ? NARROW_MINUTES : 1),
    [minutes, isNarrow],
  );
  const isTable = shown === "table";
  const isQuiet = bars.every(({ total }) => total === 0);
  return (
    <Panel
      title={t`Last hour`}
      aside={
        <div className={`flex centred wrap ${styles.aside}`}>
          <RunCounts />
          {isQuiet ? null : (
            <Button
              appearance="quiet"
              aria-pressed={isTable}
              onClick={() => onShow(isTable ? "bars" : "table")}
            >
              {isTable ? t`Show as bars` : t`Show as table`}
            </Button>
          )}
        </div>
      }
    >
      {minutes === undefined ? (
        <UnreadPart />
      ) : isQuiet ? (
        <p className="quiet small">{t`No run changed, waited or failed in the last hour.`}</p>
      ) : isTable ? (
        <HourTable bars={bars} />
      ) : (
        <>
          <HourBars bars={bars} />
          <Legend />
        </>
      )}
    </Panel>
  );
}

function Legend() {
  return (
    <p className={`flex centred wrap gap-1-4 small second ${styles.legend}`}>
      <span data-kind="failed">{t`Failed`}</span>
      <span data-kind="waiting">{t`Requeued`}</span>
      <span data-kind="changed">{t`Changed`}</span>
      <span className="quiet small">{t`Runs that changed nothing have no bar.`}</span>
    </p>
  );
}

function RunCounts() {
  const cluster = useClusterId();
  const { data } = useCluster(cluster);
  if (data === undefined) return null;
  const { all, changed, failed } = data.runs;
  return (
    <span className={styles.counts}>
      {mixed`${formatCount(all)} runs · ${formatCount(changed)} changed · ${formatCount(failed)}
        failed`}
    </span>
  );
}

/** The same as the bars, newest first, without times in which nothing happened. */
function HourTable({ bars }: { readonly bars: readonly Bar[] }) {
  const cluster = useClusterId();
  const { zone } = usePreferences();
  const busy = bars.filter(({ total }) => total > 0).toReversed();
  return (
    <table className={styles.hourTable}>
      <caption className="visually-hidden">{t`Runs of the last hour`}</caption>
      <thead>
        <tr>
          <th scope="col">{t`From`}</th>
          <th scope="col">{t`Changed`}</th>
          <th scope="col">{t`Requeued`}</th>
          <th scope="col">{t`Failed`}</th>
        </tr>
      </thead>
      <tbody>
        {busy.map((bar) => (
          <tr key={bar.at}>
            <th scope="row">
              <Link href={addresses.runsBetween(cluster, bar.at, bar.until)} prefetch={false}>
                {formatMinute(bar.at, zone)}
              </Link>
            </th>
            <td>{bar.changed}</td>
            <td>{bar.waiting}</td>
            <td>{bar.failed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
