"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteTableView } from "@cloudwright/store/views/routes";
import { mixed } from "../../components/language/mixed-text.ts";
import { FailedLine } from "../../components/page/panel-states.tsx";
import { useFailure } from "../../components/page/use-failure.ts";
import { formatCount, keepUnits } from "../../components/presentation/format-text.ts";
import { DRIFT_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusIcon } from "../../components/status/status-icon.tsx";
import { TimeText } from "../../components/time/time-text.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import type { ListProps } from "../../platform/lists/list-view.ts";
import { useCluster } from "../../platform/live/use-cluster.ts";
import { useTables } from "../../platform/objects/route-cells.ts";
import styles from "./routes.module.css";
import type { RoutesView } from "./routes-url.ts";
import { TableGauge } from "./table-gauge.tsx";
import { growthText, isTight, roomText, sharesText, usedText } from "./table-messages.ts";

/** How many tables are shown at first; the others on demand. */
const SHOWN = 3;

/** How full the route tables are and how long that lasts; each is also the filter for its nodes. */
export function TablesStrip({ view, push }: Omit<ListProps<RoutesView>, "replace">) {
  const cluster = useClusterId();
  const found = useTables(cluster);
  const failure = useFailure(found);
  const tables = found.data;
  const expected = useCluster(cluster).data?.routes.tables ?? 0;
  if (tables === undefined) {
    if (failure !== undefined) {
      return <FailedLine sentence={t`The route tables could not be read.`} {...failure} />;
    }
    return expected === 0 ? null : <TablesToCome count={Math.min(SHOWN, expected)} />;
  }
  if (tables.length === 0) return null;
  const choose = (id: string) =>
    push((now) => ({ ...now, table: now.table === id ? undefined : id }));
  const card = (table: RouteTableView) => (
    <li key={table.id}>
      <TableCard table={table} isChosen={view.table === table.id} onChoose={choose} />
    </li>
  );
  const [first, rest] = [tables.slice(0, SHOWN), tables.slice(SHOWN)];
  return (
    <section aria-label={t`Route tables`}>
      <ul className={styles.tables}>{first.map(card)}</ul>
      {rest.length === 0 ? null : (
        <details className={styles.moreTables}>
          <summary>
            {rest.length === 1
              ? t`1 more table, with more room`
              : t`${formatCount(rest.length)} more tables, each with more room`}
          </summary>
          <ul className={styles.tables}>{rest.map(card)}</ul>
        </details>
      )}
    </section>
  );
}

/** Reserves their room, so that the list below does not move when they arrive. */
function TablesToCome({ count }: { readonly count: number }) {
  return (
    <div className={styles.tables} role="status" aria-label={t`Loading`}>
      {Array.from({ length: count }, (_, table) => `table-${table}`).map((table) => (
        <span key={table} className={styles.tableToCome} />
      ))}
    </div>
  );
}

function TableCard({
  table,
  isChosen,
  onChoose,
}: {
  readonly table: RouteTableView;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}) {
  const { id, tableName } = table;
  const growth = growthText(table);
  return (
    <button
      type="button"
      className={`stack pad-3-4 start on-surface pointer from-top ${styles.table}`}
      aria-pressed={isChosen}
      title={isChosen ? t`Press to show all tables again` : t`Press to show only its nodes`}
      onClick={() => onChoose(id)}
    >
      <span className={styles.tableHead}>
        {isTight(table) ? <StatusIcon status={DRIFT_PRESENTATION.drifted} size={14} /> : null}
        <strong>{tableName === "" ? id : tableName}</strong>
        <span className={`light quiet ${styles.quiet}`}>
          {mixed`as of ${<TimeText at={table.asOf} />}`}
        </span>
      </span>
      <TableGauge table={table} />
      <span className={`small figures second ${styles.tableText}`}>
        {keepUnits(t`${usedText(table)}: ${roomText(table)}.`)}
        {growth === "" ? null : ` ${growth}`}
        {` ${sharesText(table)}`}
      </span>
    </button>
  );
}
