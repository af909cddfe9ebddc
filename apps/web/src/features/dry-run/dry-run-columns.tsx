"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import type { ShadowRow } from "@cloudwright/store/views/shadow";
import { Link } from "../../components/link.tsx";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, timeColumn } from "../../components/table/columns.tsx";
import { useTimeLabels } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { fullName } from "../../components/url/object-address.ts";
import styles from "./dry-run.module.css";
import { dryRunLine } from "./dry-run-messages.ts";

/** An object, what the dry run would do with it, and the run that says so. */
export function dryRunColumns(cluster: string): readonly Column<ShadowRow>[] {
  return [
    column(["object", "Object", 200, { narrow: "first", pinned: true }], ({ object, runId }) => (
      <Link className={styles.name} href={addresses.run(cluster, runId)} prefetch={false}>
        {fullName(object)}
      </Link>
    )),
    column(["would", "Would", 420, { grows: true, folds: true, narrow: "line" }], (row) => (
      <Would row={row} />
    )),
    column(["kind", "Kind", 110], ({ object }) => object.kind),
    column(["controller", "Controller", 150], ({ controller }) => controllerOf(controller).label),
    column(["outcome", "Last checked", 156], ({ outcome }) => (
      <StatusChip status={outcomePresentation({ outcome, dryRun: true })} />
    )),
    timeColumn(["at", "Planned", 112, { align: "end", narrow: "second" }], ({ at }) => at),
  ];
}

function Would({ row }: { readonly row: ShadowRow }) {
  const text = dryRunLine(row, useTimeLabels());
  return (
    <span className={row.changes.length === 0 ? "quiet" : undefined} title={text}>
      {text}
    </span>
  );
}
