"use client";
import type { ReactNode } from "react";
import type { Presentation } from "../presentation/states.ts";
import styles from "./status-chip.module.css";
import { StatusChip } from "./status-chip.tsx";
import { StatusIcon } from "./status-icon.tsx";

/** A status in a row of a list: the usual one is its word alone, so that only the exceptions have a shape. */
export function RowStatus({
  status,
  children,
}: {
  readonly status: Presentation;
  readonly children?: ReactNode;
}) {
  return (
    <StatusChip status={status} quiet={status.isUsual === true}>
      {children}
    </StatusChip>
  );
}

/** The same where a text of the row stands beside the shape: the usual one leaves its place free, so that the texts line up. */
export function RowIcon({
  status,
  size,
}: {
  readonly status: Presentation;
  readonly size: number;
}) {
  if (status.isUsual !== true) return <StatusIcon status={status} size={size} />;
  return <span className={styles.noIcon} style={{ width: size }} aria-hidden="true" />;
}
