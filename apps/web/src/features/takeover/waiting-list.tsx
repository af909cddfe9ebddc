"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import type { WaitingRow } from "@cloudwright/store/views/takeover";
import { useCallback, useMemo } from "react";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { DataTable } from "../../components/table/data-table.tsx";
import {
  type ActionChoice,
  routeAdoption,
  serviceAction,
} from "../../platform/actions/action-choice.ts";
import { mostOf } from "../../platform/actions/bulk-choice.ts";
import { uidOf } from "../../platform/lists/list-view.ts";
import { SelectionBar } from "../../platform/lists/selection-bar.tsx";
import { selectionColumn } from "../../platform/lists/selection-column.tsx";
import { useSelection } from "../../platform/lists/use-selection.ts";
import { useIsRunning } from "../../platform/live/use-cluster.ts";
import { matches } from "./takeover-messages.ts";
import { NoMatches, type TakeoverListProps } from "./takeover-parts.tsx";
import { type ListedWaiting, waitingColumns } from "./waiting-columns.tsx";

/** What waits for consent: each is adopted by itself, or many together after their plans have been read. */
export function WaitingList({ cluster, takeover, text, onClear }: TakeoverListProps) {
  const rows = useMemo(
    () => takeover.waiting.filter(({ name, reason }) => matches(text, name, reason.id)).map(listed),
    [takeover.waiting, text],
  );
  const choiceOf = useCallback((row: WaitingRow) => adoptionOf(cluster, row), [cluster]);
  const selection = useSelection<ListedWaiting>(choiceOf, mostOf({ of: "adoptions" }));
  const columns = useMemo(
    () => [selectionColumn(selection, rows), ...waitingColumns(cluster, choiceOf)],
    [selection, rows, cluster, choiceOf],
  );
  if (takeover.waiting.length === 0) return <NothingWaits cluster={cluster} />;
  if (rows.length === 0) return <NoMatches onClear={onClear} />;
  const { balancers: loadBalancers, routes } = takeover.counts.waiting;
  const hidden = loadBalancers + routes - takeover.waiting.length;
  return (
    <>
      <SelectionBar cluster={cluster} selection={selection} of="adoptions" />
      <DataTable
        label="Waits for consent"
        columns={columns}
        rows={rows}
        total={rows.length}
        rowKey={uidOf}
        folds="always"
        onSpace={selection.toggle}
      />
      {hidden === 0 ? null : (
        <p className={page.note}>
          {hidden.toLocaleString("en-GB")} more wait; they are listed once these are decided.{" "}
          <code>cloudwright adopt --all</code> adopts all of them.
        </p>
      )}
    </>
  );
}

/** What cannot be adopted, or is being adopted, cannot be selected. */
function listed(row: WaitingRow): ListedWaiting {
  return {
    ...row,
    state: "stuck",
    isExcluded: row.refusal !== undefined || row.open !== undefined,
  };
}

function adoptionOf(cluster: string, { kind, name, uid, reason }: WaitingRow): ActionChoice {
  return kind === "Node"
    ? routeAdoption({ cluster, name, uid }, reason.id)
    : serviceAction({ cluster, service: name, uid }, "adopt", reason.id);
}

function NothingWaits({ cluster }: { readonly cluster: string }) {
  const services = useIsRunning(cluster, speakerFor("Service"));
  const routes = useIsRunning(cluster, speakerFor("NodeRoutes"));
  if (services === false && routes === false) {
    return (
      <EmptyState title="Nothing is looked for here">
        Neither the load balancer controller nor the route controller runs, so nobody looks for what
        an earlier manager left.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="Nothing waits for consent">
      What an earlier manager left is adopted by itself where two proofs show which object owns it.
      {services === false ? " The load balancer controller does not run here." : ""}
      {routes === false ? " The route controller does not run here." : ""}
    </EmptyState>
  );
}
