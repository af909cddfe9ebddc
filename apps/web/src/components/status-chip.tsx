import type { ReactNode } from "react";
import type { Presentation } from "./presentation/states.ts";
import styles from "./status-chip.module.css";
import { StatusIcon } from "./status-icon.tsx";

/**
 * Shape, word and what belongs to it: "Stuck 14 min". The text keeps the ink colour. What is quiet is the word alone: in a long
 * list the shapes are then those of what is not well.
 */
export function StatusChip({
  status,
  children,
  prominent = false,
  quiet = false,
}: {
  readonly status: Presentation;
  readonly children?: ReactNode;
  readonly prominent?: boolean;
  readonly quiet?: boolean;
}) {
  // What is cut for want of room is read there.
  const title =
    typeof children === "string" ? `${status.label}, ${children}: ${status.help}` : status.help;
  return (
    <span className={prominent ? styles.prominent : styles.chip} data-quiet={quiet} title={title}>
      {quiet ? null : <StatusIcon status={status} size={prominent ? 20 : 14} />}
      <span className={styles.word}>{status.label}</span>
      {children === undefined ? null : <span className={styles.rest}>{children}</span>}
    </span>
  );
}
