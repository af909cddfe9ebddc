"use client";
import type { Total } from "@cloudwright/store/views/views";
import styles from "./new-rows.module.css";

/** Tells of rows that came since the list was read, and shows them when asked to: what one reads does not move by itself. */
export function NewRows({
  total,
  onShow,
}: {
  readonly total: Total | undefined;
  readonly onShow: () => void;
}) {
  const isAny = total !== undefined && total.count > 0;
  return (
    <div role="status" className={styles.place} data-keeps-reading="true">
      {isAny ? (
        <button type="button" className={styles.show} onClick={onShow}>
          {formatTotal(total)} new — show
        </button>
      ) : null}
    </div>
  );
}

/** `1 run`, `12 runs`, `10,000+ runs`. */
export function countText(total: Total, one: string, many = `${one}s`): string {
  return `${formatTotal(total)} ${total.kind === "exact" && total.count === 1 ? one : many}`;
}

function formatTotal({ count, kind }: Total): string {
  return `${count.toLocaleString("en-GB")}${kind === "exact" ? "" : "+"}`;
}
