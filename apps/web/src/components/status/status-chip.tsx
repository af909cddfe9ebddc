"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { ReactNode } from "react";
import { useIsOld } from "../freshness/freshness.ts";
import type { Presentation } from "../presentation/states.ts";
import styles from "./status-chip.module.css";
import { StatusIcon } from "./status-icon.tsx";

/**
 * Shape, word and detail of a status: "Stuck 14 min". The text keeps the ink colour. A quiet chip is only the word, so that the shapes in a
 * long list belong to what is not well.
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
  const isOld = useIsOld();
  const title = titleOf(status, children, isOld);
  return (
    <span className={prominent ? styles.prominent : styles.chip} data-quiet={quiet} title={title}>
      {quiet ? null : <StatusIcon status={status} size={prominent ? 20 : 14} />}
      <span className={styles.word}>{status.label}</span>
      {isOld ? <span className="visually-hidden"> {t`(last known)`}</span> : null}
      {children === undefined ? null : (
        <span className="clip ellipsis figures second">{children}</span>
      )}
    </span>
  );
}

/** Text that is cut off for lack of room can be read in the title. */
function titleOf({ label, help }: Presentation, children: ReactNode, isOld: boolean): string {
  const text = typeof children === "string" ? t`${label}, ${children}: ${help}` : help;
  return isOld ? t`Last known, not current. ${text}` : text;
}
