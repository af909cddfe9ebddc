"use client";
import { useMemo } from "react";
import page from "../../components/page.module.css";
import { EmptyState, ErrorState, Skeleton } from "../../components/panel-states.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import { NewRows } from "../../components/table/new-rows.tsx";
import { runColumns } from "../runs/run-columns.tsx";
import { useRuns } from "../runs/use-runs.ts";
import styles from "./node-page.module.css";

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

export function NodeRunsTab({
  cluster,
  name,
}: {
  readonly cluster: string;
  readonly name: string;
}) {
  const filter = useMemo(() => ({ key: name }), [name]);
  const { query, rows, fresh, onNearEnd } = useRuns(cluster, filter);
  const columns = useMemo(() => runColumns(cluster, { withObject: false }), [cluster]);
  if (rows === undefined) {
    return (
      <div className={page.card}>
        {query.isError ? (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton />
        )}
      </div>
    );
  }
  if (rows.length === 0) {
    return (
      <div className={page.card}>
        <EmptyState title="No run of this node is kept">
          Old runs are removed; the node's state stays.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={`${page.card} ${styles.runs}`}>
      <DataTable
        label={`Runs of ${name}`}
        columns={columns}
        hidden={NOTHING_HIDDEN}
        rows={rows}
        total={undefined}
        rowKey={({ id }) => id}
        onNearEnd={onNearEnd}
        stale={query.isError}
        folds="always"
        beginning={fresh.shownUntil}
      />
      <NewRows total={fresh.total} onShow={fresh.show} />
    </div>
  );
}
