"use client";
import type { ReactNode } from "react";
import type { Presentation } from "../presentation/states.ts";
import styles from "./status-chip.module.css";
import { StatusChip } from "./status-chip.tsx";
import { StatusIcon } from "./status-icon.tsx";

/** A status in a list row: the usual one is only a word, so that only exceptions have a shape. */
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

/** The same for the shape beside a row's text: the usual status leaves its place empty, so that the texts line up. */
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
