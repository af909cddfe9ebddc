"use client";
import { causeOf } from "@cloudwright/core/model/sentence";
import type { WaitingRow } from "@cloudwright/store/views/takeover";
import { Link } from "../../components/link.tsx";
import type { Column } from "../../components/table/column.ts";
import { column } from "../../components/table/columns.tsx";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import type { ActionChoice } from "../../platform/actions/action-choice.ts";
import type { SelectableRow } from "../../platform/lists/use-selection.ts";
import styles from "./takeover.module.css";
import { consentText, resourceOf, whyText } from "./takeover-messages.ts";
import { objectColumn } from "./takeover-parts.tsx";

export type ListedWaiting = WaitingRow & SelectableRow;

/** What waits, why, and what consent would do. */
export function waitingColumns(
  cluster: string,
  choiceOf: (row: WaitingRow) => ActionChoice,
): readonly Column<ListedWaiting, never>[] {
  return [
    objectColumn(cluster),
    column(["resource", "Cloud resource", 200, { folds: true }], ({ reason }) => (
      <Resource {...resourceOf(reason)} />
    )),
    column(
      ["why", "Why it waits", 300, { grows: true, folds: true, narrow: "line", value: whyText }],
      (row) => <span title={`${whyText(row)} ${causeOf(row.reason)}`}>{whyText(row)}</span>,
    ),
    column(["consent", "Consent would", 250, { folds: true }], (row) => (
      <span className={row.refusal === undefined ? undefined : "quiet"} title={consentText(row)}>
        {consentText(row)}
      </span>
    )),
    column(["since", "Since", 96, { align: "end", narrow: "second" }], ({ since }) => (
      <SinceText at={since} />
    )),
    column(["adopt", "Adopt", 150, { narrow: "line" }], (row) => (
      <Adoption cluster={cluster} row={row} choice={choiceOf(row)} />
    )),
  ];
}

function Resource({ what, id, to }: ReturnType<typeof resourceOf>) {
  return (
    <span title={`${what} ${id}${to}`}>
      {what} <span className={styles.id}>{id}</span>
      {to}
    </span>
  );
}

function Adoption({
  cluster,
  row: { open, refusal, name },
  choice,
}: {
  readonly cluster: string;
  readonly row: WaitingRow;
  readonly choice: ActionChoice;
}) {
  if (open !== undefined) {
    return (
      <Link href={addresses.action(cluster, open.id)} prefetch={false}>
        By {open.actor}, {open.state}
      </Link>
    );
  }
  return (
    <span className={styles.action}>
      <ActionButton choice={choice} of={name} obstacle={refusal} />
    </span>
  );
}
