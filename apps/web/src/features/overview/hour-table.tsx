"use client";
import { Link } from "../../components/link.tsx";
import { usePreferences } from "../../components/preferences.ts";
import { formatMinute } from "../../components/time/format-time.ts";
import { addresses } from "../../components/url/addresses.ts";
import type { Bar } from "./hour-counts.ts";
import styles from "./last-hour.module.css";

/** The same as the bars, newest first, without the times in which nothing happened. */
export function HourTable({
  cluster,
  bars,
}: {
  readonly cluster: string;
  readonly bars: readonly Bar[];
}) {
  const { zone } = usePreferences();
  const busy = bars.filter(({ total }) => total > 0).toReversed();
  if (busy.length === 0) {
    return <p className={styles.quiet}>No run changed, waited or failed in the last hour.</p>;
  }
  return (
    <table className={styles.hourTable}>
      <caption className="visually-hidden">Runs of the last hour</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Changed</th>
          <th scope="col">Requeued</th>
          <th scope="col">Failed</th>
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
