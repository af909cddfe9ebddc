"use client";
import { BATCH_MOST } from "@cloudwright/core/model/actions/intent";
import { speakerFor } from "@cloudwright/core/model/controller-names";
import { t } from "@cloudwright/core/model/language/text";
import { causeOf } from "@cloudwright/core/model/sentence";
import type { TakeoverView, WaitingRow } from "@cloudwright/store/views/takeover";
import { useCallback, useMemo } from "react";
import { mixed } from "../../components/language/mixed-text.ts";
import { Link } from "../../components/link.tsx";
import page from "../../components/page/page.module.css";
import { EmptyState } from "../../components/page/panel-states.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import { INTENT_PRESENTATION } from "../../components/presentation/outcomes.ts";
import type { Column } from "../../components/table/column.ts";
import { column } from "../../components/table/columns.tsx";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import {
  type ActionChoice,
  routeAdoption,
  serviceAction,
} from "../../platform/actions/action-choice.ts";
import { uidOf } from "../../platform/lists/list-view.ts";
import { ChosenRows, SelectionBar, selectionColumn } from "../../platform/lists/selection-bar.tsx";
import { type SelectableRow, useSelection } from "../../platform/lists/use-selection.ts";
import { useIsRunning } from "../../platform/live/use-cluster.ts";
import { consentText, resourceOf, whyText } from "./takeover-messages.ts";
import { FoundList, objectColumn, type TakeoverListProps, useFound } from "./takeover-parts.tsx";
import { waitingRows } from "./takeover-rows.ts";

/** What waits for consent: adopted one by one, or many together after their plans were reviewed. */
export function WaitingList(props: TakeoverListProps) {
  const cluster = useClusterId();
  const { found } = props;
  const rows = useFound(props, listedRows);
  const choiceOf = useCallback((row: WaitingRow) => adoptionOf(cluster, row), [cluster]);
  const choicesOf = useCallback((row: WaitingRow) => [choiceOf(row)], [choiceOf]);
  const selection = useSelection<ListedWaiting>(choicesOf, BATCH_MOST);
  const { chosen, toggle, toggleAll } = selection;
  const boxes = useMemo(
    () => selectionColumn({ toggle, toggleAll }, rows ?? []),
    [toggle, toggleAll, rows],
  );
  const columns = useMemo(() => waitingColumns(cluster, choiceOf), [cluster, choiceOf]);
  return (
    <ChosenRows value={chosen}>
      <FoundList
        {...props}
        label={t`Waits for consent`}
        part="open"
        table="takeover-waiting"
        about={t`Each of these has only one proof of its owner: it is not changed, and no second one is created. A node's next route is listed once this one is decided.`}
        boxes={boxes}
        columns={columns}
        rows={rows}
        rowKey={uidOf}
        onSpace={toggle}
        above={<SelectionBar selection={selection} of="adoptions" />}
        below={<MoreWait takeover={found.data} />}
        none={<NothingWaits />}
      />
    </ChosenRows>
  );
}

function listedRows(found: TakeoverView, text: string): readonly ListedWaiting[] {
  return waitingRows(found, text).map(listed);
}

function MoreWait({ takeover }: { readonly takeover: TakeoverView | undefined }) {
  if (takeover === undefined) return null;
  const { balancers: loadBalancers, routes } = takeover.counts.waiting;
  const hidden = loadBalancers + routes - takeover.waiting.length;
  if (hidden === 0) return null;
  return (
    <p className={`pad-2-3 small round-small ${page.note}`}>
      {mixed`${formatCount(hidden)} more are waiting; they are listed once these are decided. ${<code>cloudwright adopt --all</code>}
        adopts all of them.`}
    </p>
  );
}

/** Rows that cannot be adopted, or are being adopted, cannot be selected. */
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

function NothingWaits() {
  const cluster = useClusterId();
  const services = useIsRunning(cluster, speakerFor("Service"));
  const routes = useIsRunning(cluster, speakerFor("NodeRoutes"));
  if (services === false && routes === false) {
    return (
      <EmptyState title={t`Nothing is looked for here`}>
        {t`Neither the load balancer controller nor the route controller runs, so nothing looks
          for what an earlier manager left behind.`}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t`Nothing is waiting for consent`}>
      {t`What an earlier manager left behind is adopted automatically where two proofs show which object owns it.`}
      {services === false ? ` ${t`The load balancer controller is not running here.`}` : ""}
      {routes === false ? ` ${t`The route controller is not running here.`}` : ""}
    </EmptyState>
  );
}

type ListedWaiting = WaitingRow & SelectableRow;

/** The columns for what waits, why, and what consent would do. */
export function waitingColumns(
  cluster: string,
  choiceOf: (row: WaitingRow) => ActionChoice,
): readonly Column<ListedWaiting, never>[] {
  return [
    objectColumn(cluster),
    column(["resource", t`Cloud resource`, 200, { folds: true }], ({ reason }) => (
      <Resource {...resourceOf(reason)} />
    )),
    column(
      ["why", t`Why it waits`, 300, { grows: true, folds: true, narrow: "line", value: whyText }],
      (row) => <span title={`${whyText(row)} ${causeOf(row.reason)}`}>{whyText(row)}</span>,
    ),
    column(["consent", t`Effect of consent`, 240, { folds: true }], (row) => (
      <span className={row.refusal === undefined ? undefined : "quiet"} title={consentText(row)}>
        {consentText(row)}
      </span>
    )),
    column(["since", t`Since`, 96, { align: "end", narrow: "second" }], ({ since }) => (
      <SinceText at={since} />
    )),
    column(["adopt", t`Adopt`, 120, { narrow: "line" }], (row) => (
      <Adoption row={row} choice={choiceOf(row)} />
    )),
  ];
}

function Resource({ what, id, to }: ReturnType<typeof resourceOf>) {
  return (
    <span title={`${what} ${id}${to}`}>
      {what} <span className="nowrap">{id}</span>
      {to}
    </span>
  );
}

function Adoption({
  row: { open, refusal, name },
  choice,
}: {
  readonly row: WaitingRow;
  readonly choice: ActionChoice;
}) {
  const cluster = useClusterId();
  if (open !== undefined) {
    return (
      <Link href={addresses.action(cluster, open.id)} prefetch={false}>
        {t`By ${open.actor}, ${INTENT_PRESENTATION[open.state].label.toLowerCase()}`}
      </Link>
    );
  }
  return <ActionButton choice={choice} of={name} obstacle={refusal} />;
}
