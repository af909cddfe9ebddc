"use client";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import type { TakeoverView, WaitingRow } from "@cloudwright/store/views/takeover";
import { useCallback, useMemo } from "react";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
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
import { FoundList, type TakeoverListProps, useFound } from "./takeover-parts.tsx";
import { type ListedWaiting, waitingColumns } from "./waiting-columns.tsx";

/** What waits for consent: each is adopted by itself, or many together after their plans have been read. */
export function WaitingList(props: TakeoverListProps) {
  const { cluster, found } = props;
  const rows = useFound(props, waitingRows);
  const choiceOf = useCallback((row: WaitingRow) => adoptionOf(cluster, row), [cluster]);
  const selection = useSelection<ListedWaiting>(choiceOf, mostOf({ of: "adoptions" }));
  const columns = useMemo(
    () => [selectionColumn(selection, rows ?? []), ...waitingColumns(cluster, choiceOf)],
    [selection, rows, cluster, choiceOf],
  );
  return (
    <FoundList
      {...props}
      label="Waits for consent"
      about="Each of these has only one proof of its owner: it is not changed, and no second one is created. A node's next route is listed once this one is decided."
      columns={columns}
      rows={rows}
      rowKey={uidOf}
      onSpace={selection.toggle}
      above={<SelectionBar cluster={cluster} selection={selection} of="adoptions" />}
      below={<MoreWait takeover={found.data} />}
      none={<NothingWaits cluster={cluster} />}
    />
  );
}

function waitingRows({ waiting }: TakeoverView, text: string): readonly ListedWaiting[] {
  return waiting.filter(({ name, reason }) => matches(text, name, reason.id)).map(listed);
}

function MoreWait({ takeover }: { readonly takeover: TakeoverView | undefined }) {
  if (takeover === undefined) return null;
  const { balancers: loadBalancers, routes } = takeover.counts.waiting;
  const hidden = loadBalancers + routes - takeover.waiting.length;
  if (hidden === 0) return null;
  return (
    <p className={page.note}>
      {formatCount(hidden)} more wait; they are listed once these are decided.{" "}
      <code>cloudwright adopt --all</code> adopts all of them.
    </p>
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
        Neither the load balancer controller nor the route controller runs, so nothing looks for
        what an earlier manager left.
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
