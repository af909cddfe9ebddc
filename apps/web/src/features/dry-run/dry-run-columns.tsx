"use client";
import { controllerOf } from "@cloudwright/core/model/controller-names";
import type { ShadowRow } from "@cloudwright/store/views/shadow";
import { Link } from "../../components/link.tsx";
import { outcomePresentation } from "../../components/presentation/outcomes.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { TimeText } from "../../components/time/time-text.tsx";
import { useTimeWords } from "../../components/time/time-words.ts";
import { addresses } from "../../components/url/addresses.ts";
import { fullName } from "../../components/url/object-address.ts";
import styles from "./dry-run.module.css";
import { dryRunLine } from "./dry-run-words.ts";

/** An object, what the dry run would do with it, and the run that says so. */
export function dryRunColumns(cluster: string): readonly Column<ShadowRow>[] {
  return [
    {
      id: "object",
      header: "Object",
      width: 200,
      narrow: "first",
      pinned: true,
      cell: ({ object, runId }) => (
        <Link className={styles.name} href={addresses.run(cluster, runId)} prefetch={false}>
          {fullName(object)}
        </Link>
      ),
    },
    {
      id: "would",
      header: "Would",
      width: 420,
      grows: true,
      folds: true,
      narrow: "line",
      cell: (row) => <Would row={row} />,
    },
    { id: "kind", header: "Kind", width: 110, cell: ({ object }) => object.kind },
    {
      id: "controller",
      header: "Controller",
      width: 150,
      cell: ({ controller }) => controllerOf(controller).label,
    },
    {
      id: "outcome",
      header: "Last look",
      width: 156,
      cell: ({ outcome }) => <StatusChip status={outcomePresentation({ outcome, dryRun: true })} />,
    },
    {
      id: "at",
      header: "Planned",
      width: 112,
      align: "end",
      narrow: "second",
      cell: ({ at }) => <TimeText at={at} />,
    },
  ];
}

function Would({ row }: { readonly row: ShadowRow }) {
  const text = dryRunLine(row, useTimeWords());
  return (
    <span className={row.changes.length === 0 ? styles.quiet : undefined} title={text}>
      {text}
    </span>
  );
}
