"use client";
import type { RunMinute } from "@cloudwright/store/overview-views";
import { useMediaQuery } from "@mantine/hooks";
import { useMemo } from "react";
import { Button } from "../../components/button.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../components/presentation/format-count.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { HourBars } from "./hour-bars.tsx";
import { barsOf } from "./hour-counts.ts";
import { HourTable } from "./hour-table.tsx";
import styles from "./last-hour.module.css";
import type { OverviewPageView } from "./overview-url.ts";

/** Minutes of a bar where there is no room for sixty. */
const NARROW_MINUTES = 5;

/** The runs of the last hour, minute by minute; each bar opens its runs. */
export function LastHourPanel({
  cluster,
  minutes,
  shown,
  onShow,
}: {
  readonly cluster: string;
  readonly minutes: readonly RunMinute[];
  readonly shown: OverviewPageView["hour"];
  readonly onShow: (shown: OverviewPageView["hour"]) => void;
}) {
  const isNarrow = useMediaQuery("(max-width: 44em)") ?? false;
  const bars = useMemo(() => barsOf(minutes, isNarrow ? NARROW_MINUTES : 1), [minutes, isNarrow]);
  const isTable = shown === "table";
  return (
    <Panel
      title="Last hour"
      aside={
        <div className={styles.aside}>
          <RunCounts cluster={cluster} />
          <Button
            look="quiet"
            aria-pressed={isTable}
            onClick={() => onShow(isTable ? "bars" : "table")}
          >
            {isTable ? "Show as bars" : "Show as table"}
          </Button>
        </div>
      }
    >
      {isTable ? (
        <HourTable cluster={cluster} bars={bars} />
      ) : (
        <HourBars cluster={cluster} bars={bars} />
      )}
      <p className={styles.legend}>
        <span data-kind="failed">Failed</span>
        <span data-kind="waiting">Requeued</span>
        <span data-kind="changed">Changed</span>
        <span className={styles.quiet}>Runs that changed nothing have no bar.</span>
      </p>
    </Panel>
  );
}

function RunCounts({ cluster }: { readonly cluster: string }) {
  const { data } = useCluster(cluster);
  if (data === undefined) return null;
  const { all, changed, failed } = data.runs;
  return (
    <span className={styles.counts}>
      {formatCount(all)} runs · {formatCount(changed)} changed · {formatCount(failed)} failed
    </span>
  );
}
