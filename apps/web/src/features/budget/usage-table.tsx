"use client";
import { Link } from "../../components/link.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatCount } from "../../components/presentation/format-count.ts";
import { formatMinute } from "../../components/time/format-time.ts";
import { addresses } from "../../components/url/addresses.ts";
import { shareText } from "./budget-words.ts";
import { FiguresTable } from "./figures-table.tsx";
import type { UsageProps } from "./usage-bars.ts";

/** The same as the bars, newest first, without the times in which nothing was asked. */
export function UsageTable({ cluster, label, buckets, filter }: UsageProps) {
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
      empty="Nothing was asked in this time, as far as it is known."
      columns={[
        {
          header: "From",
          cell: ({ at, until }) => (
            <Link
              href={addresses.runsWithin(cluster, { from: at, to: until }, filter)}
              prefetch={false}
            >
              {formatMinute(at, zone)}
            </Link>
          ),
        },
        { header: "Calls", cell: ({ use }) => formatCount(use.calls) },
        { header: "Busiest minute", cell: ({ use }) => formatCount(use.callsPerMinute) },
        { header: "Answered 429", cell: ({ use }) => formatCount(use.throttled) },
        {
          header: "Limit a minute",
          cell: ({ use }) =>
            use.limitPerMinute === undefined ? "none" : formatCount(use.limitPerMinute),
        },
        { header: "Of the limit", cell: ({ use }) => shareText(use.share) },
      ]}
    />
  );
}
