"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { DoneAdoption, ProvenRoutes, TakeoverView } from "@cloudwright/store/views/takeover";
import { useMemo } from "react";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { textColumn, timeColumn } from "../../components/table/columns.tsx";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { adoptedByText, keptText, matches, routesText } from "./takeover-messages.ts";
import {
  FoundList,
  objectColumn,
  runColumn,
  type TakeoverListProps,
  useFound,
} from "./takeover-parts.tsx";

/** What was adopted, or is kept without a write; the latter has no moment at which that began. */
interface AdoptedRow extends Omit<DoneAdoption, "at"> {
  readonly key: string;
  readonly at: number | undefined;
}

/** What Cloudwright goes on with: by what proofs or whose consent, when, and in which run. */
export function AdoptedList(props: TakeoverListProps) {
  const cluster = useClusterId();
  const rows = useFound(props, adoptedRows);
  const columns = useMemo(() => adoptedColumns(cluster), [cluster]);
  return (
    <FoundList
      {...props}
      label={t`Adopted`}
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

function adoptedRows({ adopted, proven }: TakeoverView, text: string): readonly AdoptedRow[] {
  return [...adopted.map(ofAdoption), ...proven.map(ofProven)].filter(({ name, id }) =>
    matches(text, name, id),
  );
}

function keyOf({ key }: AdoptedRow): string {
  return key;
}

function ofAdoption(one: DoneAdoption): AdoptedRow {
  const what = one.kind === "Node" ? t`route` : t`load balancer`;
  return { ...one, key: `${one.kind} ${one.name} ${one.id} ${one.at}`, id: `${what} ${one.id}` };
}

function ofProven({ name, uid, routes, runId }: ProvenRoutes): AdoptedRow {
  return {
    ...{ key: uid, kind: "Node", name, id: routesText(routes), by: "proofs" },
    ...{ actor: "", why: keptText(routes), at: undefined, runId },
  };
}

function adoptedColumns(cluster: string): readonly Column<AdoptedRow, never>[] {
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
