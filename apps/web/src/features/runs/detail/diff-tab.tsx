"use client";
import { objectName } from "@cloudwright/core/model/object-ref";
import type { RunDetail } from "@cloudwright/store/views";
import { DiffTable, keyedChanges } from "../../../components/diff-table.tsx";
import page from "../../../components/page.module.css";
import { EmptyState } from "../../../components/panel-states.tsx";
import styles from "./run-page.module.css";

/** Before and after of each change, side by side. */
export function DiffTab({ run }: { readonly run: RunDetail }) {
  if (run.changes.length === 0) {
    return (
      <div className={page.card}>
        <EmptyState title="Nothing was changed">This run planned no write.</EmptyState>
      </div>
    );
  }
  return keyedChanges(run.changes).map(({ key, change }) => (
    <section key={key} className={page.card}>
      <h2 className={styles.heading}>
        {change.kind} <span className={styles.quiet}>{objectName(change.target)}</span>
      </h2>
      <DiffTable what={change.kind} before={change.before} after={change.after} />
    </section>
  ));
}
