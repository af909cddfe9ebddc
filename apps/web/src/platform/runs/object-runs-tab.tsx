"use client";
import { useMemo } from "react";
import styles from "../../components/page/detail-page.module.css";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { NewRows } from "../../components/table/new-rows.tsx";
import { kindWord } from "../wording/action-title.ts";
import { runColumns } from "./run-columns.tsx";
import { useRuns } from "./use-runs.ts";

/** The runs of one object, newest first. */
export function ObjectRunsTab({
  cluster,
  kind,
  name,
}: {
  readonly cluster: string;
  readonly kind: string;
  /** With its namespace, where it has one. */
  readonly name: string;
}) {
  const filter = useMemo(() => ({ key: name, kind }), [name, kind]);
  const { query, rows, fresh, onNearEnd } = useRuns(cluster, filter);
  const columns = useMemo(() => runColumns(cluster, { withObject: false }), [cluster]);
  if (rows === undefined) {
    return <Pending isCard query={query} />;
  }
  if (rows.length === 0) {
    return (
      <EmptyState isCard title={`No run of this ${kindWord(kind)} is kept`}>
        Old runs are removed; its state stays.
      </EmptyState>
    );
  }
  return (
    <div className={`${page.card} ${styles.runs}`}>
      <DataTable
        label={`Runs of ${name}`}
        columns={columns}
        rows={rows}
        total={undefined}
        rowKey={({ id }) => id}
        onNearEnd={onNearEnd}
        folds="always"
        beginning={fresh.shownUntil}
      />
      <NewRows total={fresh.total} onShow={fresh.show} />
    </div>
  );
}
