"use client";
import { t } from "@cloudwright/core/model/language/text";
import { useMemo } from "react";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { textColumn, timeColumn } from "../../components/table/columns.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { adoptedByText } from "./takeover-messages.ts";
import {
  FoundList,
  objectColumn,
  runColumn,
  type TakeoverListProps,
  useFound,
} from "./takeover-parts.tsx";
import { type AdoptedRow, adoptedRows } from "./takeover-rows.ts";

/** What Cloudwright has taken over: by which proofs or whose consent, when, and in which run. */
export function AdoptedList(props: TakeoverListProps) {
  const cluster = useClusterId();
  const rows = useFound(props, adoptedRows);
  const columns = useMemo(() => adoptedColumns(cluster), [cluster]);
  return (
    <FoundList
      {...props}
      label={t`Adopted`}
      part="adopted"
      table="takeover-adopted"
      about={t`What Cloudwright has adopted: automatically where there were two proofs, everything else with a user's consent.`}
      columns={columns}
      rows={rows}
      rowKey={keyOf}
      none={
        <EmptyState title={t`Nothing has been adopted`}>
          {t`No load balancer or route of an earlier manager was found with two proofs of its
            owner, and no user has given consent for one.`}
        </EmptyState>
      }
    />
  );
}

function keyOf({ key }: AdoptedRow): string {
  return key;
}

export function adoptedColumns(cluster: string): readonly Column<AdoptedRow, never>[] {
  return [
    objectColumn(cluster),
    textColumn(["resource", t`Cloud resource`, 220, { folds: true }], ({ id }) => id),
    textColumn(["by", t`Adopted by`, 160, { narrow: "line" }], adoptedByText),
    textColumn(
      ["why", t`Why`, 320, { grows: true, folds: true, narrow: "line" }],
      ({ why }) => why,
    ),
    timeColumn(["when", t`When`, 120, { align: "end", narrow: "second" }], ({ at }) => at),
    runColumn(cluster),
  ];
}
