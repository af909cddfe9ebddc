"use client";
import { causeOf } from "@cloudwright/core/model/sentence";
import type { WaitingRow } from "@cloudwright/store/views/takeover";
import { Link } from "../../components/link.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { ActionButton } from "../../platform/actions/action-button.tsx";
import type { ActionChoice } from "../../platform/actions/action-choice.ts";
import type { SelectableRow } from "../../platform/lists/use-selection.ts";
import { objectColumn } from "./object-column.tsx";
import styles from "./takeover.module.css";
import { consentText, resourceOf, whyText } from "./takeover-words.ts";

export type ListedWaiting = WaitingRow & SelectableRow;

/** What waits, why, and what consent would do. */
export function waitingColumns(
  cluster: string,
  choiceOf: (row: WaitingRow) => ActionChoice,
): readonly Column<ListedWaiting, never>[] {
  return [
    objectColumn(cluster),
    {
      id: "resource",
      header: "Cloud resource",
      width: 200,
      folds: true,
      cell: ({ reason }) => <Resource {...resourceOf(reason)} />,
    },
    {
      id: "why",
      header: "Why it waits",
      width: 300,
      grows: true,
      folds: true,
      narrow: "line",
      value: whyText,
      cell: (row) => <span title={`${whyText(row)} ${causeOf(row.reason)}`}>{whyText(row)}</span>,
    },
    {
      id: "consent",
      header: "Consent would",
      width: 250,
      folds: true,
      cell: (row) => (
        <span
          className={row.refusal === undefined ? undefined : styles.quiet}
          title={consentText(row)}
        >
          {consentText(row)}
        </span>
      ),
    },
    {
      id: "since",
      header: "Since",
      width: 96,
      align: "end",
      narrow: "second",
      cell: ({ since }) => <SinceText at={since} />,
    },
    {
      id: "adopt",
      header: "Adopt",
      width: 150,
      narrow: "line",
      cell: (row) => <Adoption cluster={cluster} row={row} choice={choiceOf(row)} />,
    },
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
      <ActionButton choice={choice} obstacle={refusal}>
        Adopt…<span className="visually-hidden"> {name}</span>
      </ActionButton>
    </span>
  );
}
