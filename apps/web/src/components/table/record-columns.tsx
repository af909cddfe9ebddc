"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { Reason } from "@cloudwright/core/model/reason";
import { cause } from "@cloudwright/core/model/sentence";
import type { Drift, State } from "@cloudwright/core/model/state";
import type { NodeRow } from "@cloudwright/store/views/views";
import { withoutRequests } from "../evidence/request-parts.ts";
import { CauseText } from "../evidence/sentence-text.tsx";
import { Link } from "../link.tsx";
import { OUTCOME_PRESENTATION } from "../presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../presentation/states.ts";
import { RowStatus } from "../status/row-status.tsx";
import { SinceText } from "../time/time-text.tsx";
import { addresses } from "../url/addresses.ts";
import type { Column } from "./column.ts";
import { column } from "./columns.tsx";
import styles from "./record-columns.module.css";

/** What the ledger keeps of everything that controllers manage, as far as these columns show it. */
interface RecordRow {
  readonly name: string;
  readonly state: State;
  readonly reason: Reason;
  readonly since: number;
}

/** Returns the first columns of each such list: state, name with the link to its page, cause, and since when. */
export function leadingColumns<Row extends RecordRow>(name: {
  readonly id: string;
  readonly header: string;
  readonly width: number;
  readonly href: (row: Row) => string;
  /** The row's full page, if the link opens the row beside the list. */
  readonly pageOf?: (row: Row) => string;
}): readonly Column<Row, "state" | "name" | "since">[] {
  return [
    stateColumn(),
    {
      id: name.id,
      header: name.header,
      width: name.width,
      sort: "name",
      narrow: "line",
      pinned: true,
      pageOf: name.pageOf ?? name.href,
      cell: (row) => <RecordLink href={name.href(row)} name={row.name} />,
    },
    whyColumn(),
    sinceColumn(),
  ];
}

/** The name of a thing as a link to its page; the tooltip has the full name, as the cell may cut it off. */
export function RecordLink({ href, name }: { readonly href: string; readonly name: string }) {
  return (
    <Link className={`strong ${styles.name}`} href={href} title={name} prefetch={false}>
      {name}
    </Link>
  );
}

export function stateColumn<Row extends Pick<RecordRow, "state">>(): Column<Row, "state"> {
  return column(
    ["state", t`State`, 116, { sort: "state", narrow: "first", value: ({ state }) => state }],
    ({ state }) => <RowStatus status={STATE_PRESENTATION[state]} />,
  );
}

/** Returns the column for the cause without its evidence, which the page beside the list shows; healthy rows have none. */
export function whyColumn<Row extends Pick<RecordRow, "state" | "reason">>(): Column<Row, never> {
  return column(
    [
      "why",
      t`Why`,
      300,
      {
        grows: true,
        folds: true,
        narrow: "line",
        value: ({ state, reason }) => (state === "ok" ? "" : withoutRequests(cause(reason))),
      },
    ],
    ({ state, reason }) => (state === "ok" ? null : <CauseText reason={reason} />),
  );
}

export function sinceColumn<Row extends Pick<RecordRow, "since">>(): Column<Row, "since"> {
  return column(
    ["since", t`Since`, 108, { sort: "since", align: "end", narrow: "second" }],
    ({ since }) => <SinceText at={since} />,
  );
}

export function driftColumn<Row extends { readonly drift: Drift }>(): Column<Row, never> {
  return column(["drift", t`Drift`, 134, { value: ({ drift }) => drift }], ({ drift }) => (
    <RowStatus status={DRIFT_PRESENTATION[drift]} />
  ));
}

/** Returns the column for the outcome of the last run, with a link to it. If the row's name is a link, Tab stops only there. */
export function lastRunColumn<Row extends Pick<NodeRow, "lastRun">>(
  cluster: string,
  { isOnlyLink = false } = {},
): Column<Row, never> {
  return column(
    ["run", t`Last run`, 124, { value: ({ lastRun }) => lastRun.outcome }],
    ({ lastRun }) => (
      <Link
        className="plain-link"
        href={addresses.run(cluster, lastRun.id)}
        prefetch={false}
        tabIndex={isOnlyLink ? 0 : -1}
      >
        <RowStatus status={OUTCOME_PRESENTATION[lastRun.outcome]} />
      </Link>
    ),
  );
}
