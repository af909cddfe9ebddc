import type { RouteTableView } from "@cloudwright/store/views/routes";
import styles from "./routes.module.css";
import { isTight } from "./table-messages.ts";

/** How full a table is; nothing if its limit is not known. */
export function TableGauge({
  table,
  isSmall = false,
}: {
  readonly table: RouteTableView;
  readonly isSmall?: boolean;
}) {
  const { capacity, used } = table;
  if (capacity === undefined) return null;
  return (
    <span
      className={`block clip sunken pill ${styles.gauge}`}
      data-small={isSmall}
      data-tight={isTight(table)}
      aria-hidden="true"
    >
      <span style={{ width: `${Math.min(100, (100 * used) / Math.max(1, capacity))}%` }} />
    </span>
  );
}
