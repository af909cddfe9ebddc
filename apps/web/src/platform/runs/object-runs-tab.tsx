"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useMemo } from "react";
import styles from "../../components/page/detail-page.module.css";
import page from "../../components/page/page.module.css";
import { EmptyState, Pending } from "../../components/page/panel-states.tsx";
import { DataTable, NewRows } from "../../components/table/data-table.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { UnreadComments } from "../comments/unread-comments.tsx";
import { ExportMenu } from "../lists/export-menu.tsx";
import { kindWord } from "../wording/kind-words.ts";
import { runColumns } from "./run-columns.tsx";
import { useRuns } from "./use-runs.ts";

/** The runs of one object, newest first. */
export function ObjectRunsTab({
  kind,
  name,
}: {
  readonly kind: string;
  /** Includes the namespace, if there is one. */
  readonly name: string;
}) {
  const cluster = useClusterId();
  const columns = useMemo(() => runColumns({ withObject: false }), []);
  const filter = useMemo(() => ({ key: name, kind }), [name, kind]);
  const { query, rows, fresh, onNearEnd } = useRuns(cluster, filter);
  if (rows === undefined) {
    return <Pending isCard query={query} />;
  }
  if (rows.length === 0) {
    return (
      <EmptyState isCard title={t`No run of this ${kindWord(kind)} is kept`}>
        {t`Old runs are removed; its state stays.`}
      </EmptyState>
    );
  }
  return (
    <div className={`${page.card} flex column clip ${styles.runs}`}>
      <div className={`${page.toolbar} pad-2-4`}>
        <span className="push" />
        <ExportMenu of={{ list: "runs", cluster, filter }} />
      </div>
      <UnreadComments list={query.data} />
      <DataTable
        label={t`Runs of ${name}`}
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
