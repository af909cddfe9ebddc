"use client";
import { cause } from "@cloudwright/core/model/sentence";
import type { BalancerRow, BalancerSort } from "@cloudwright/store/balancer-views";
import Link from "next/link";
import { OUTCOME_PRESENTATION } from "../../components/presentation/outcomes.ts";
import { DRIFT_PRESENTATION, STATE_PRESENTATION } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { SinceText, TimeText } from "../../components/time/time-text.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { formatCount } from "../nodes/nodes-sentence.ts";
import styles from "./load-balancers.module.css";

type BalancerColumn = Column<BalancerRow, BalancerSort>;

/** The columns of the list (UX brief, section 6). */
export function balancerColumns(cluster: string): readonly BalancerColumn[] {
  return [
    {
      id: "state",
      header: "State",
      width: 116,
      sort: "state",
      narrow: "first",
      cell: ({ state }) => <StatusChip status={STATE_PRESENTATION[state]} />,
    },
    {
      id: "service",
      header: "Service",
      width: 190,
      sort: "name",
      narrow: "line",
      pinned: true,
      cell: ({ name }) => (
        <Link className={styles.name} href={addresses.balancer(cluster, name)} prefetch={false}>
          {name}
        </Link>
      ),
    },
    {
      id: "why",
      header: "Why",
      width: 260,
      grows: true,
      folds: true,
      narrow: "line",
      cell: ({ state, reason }) => {
        const text = cause(reason);
        return (
          <span className={state === "ok" ? styles.quiet : undefined} title={text}>
            {text}
          </span>
        );
      },
    },
    {
      id: "since",
      header: "Since",
      width: 92,
      sort: "since",
      align: "end",
      narrow: "second",
      cell: ({ since }) => <SinceText at={since} />,
    },
    ...cloudColumns(),
    ...recordColumns(cluster),
  ];
}

function cloudColumns(): readonly BalancerColumn[] {
  return [
    {
      id: "members",
      header: "Members",
      width: 96,
      sort: "members",
      align: "end",
      cell: ({ members }) => (members === undefined ? <Nothing /> : <Members {...members} />),
    },
    {
      id: "address",
      header: "Address",
      width: 150,
      cell: ({ addresses: all }) => {
        const text = all.join(", ");
        return text === "" ? <Nothing /> : <code title={text}>{text}</code>;
      },
    },
    {
      id: "balancer",
      header: "Load balancer",
      width: 190,
      cell: ({ balancerId, type }) =>
        balancerId === undefined ? (
          <Nothing />
        ) : (
          <span title={`${type ?? ""} ${balancerId}`.trim()}>
            {type === undefined ? null : `${type} `}
            <code>{balancerId}</code>
          </span>
        ),
    },
  ];
}

function recordColumns(cluster: string): readonly BalancerColumn[] {
  return [
    {
      id: "drift",
      header: "Drift",
      width: 134,
      cell: ({ drift }) => <StatusChip status={DRIFT_PRESENTATION[drift]} />,
    },
    {
      id: "changed",
      header: "Last change",
      width: 116,
      sort: "changed",
      align: "end",
      cell: ({ changedAt }) =>
        changedAt === undefined ? <Nothing /> : <TimeText at={changedAt} />,
    },
    {
      id: "run",
      header: "Last run",
      width: 124,
      cell: ({ lastRun }) => (
        <Link
          className={styles.plain}
          href={addresses.run(cluster, lastRun.id)}
          prefetch={false}
          tabIndex={-1}
        >
          <StatusChip status={OUTCOME_PRESENTATION[lastRun.outcome]} />
        </Link>
      ),
    },
  ];
}

/** `41 of 44`; those that are fewer than they should be stand out. */
export function Members({ in: present, wanted }: { readonly in: number; readonly wanted: number }) {
  const isShort = present < wanted || wanted === 0;
  return (
    <span className={`${styles.figure} ${isShort ? styles.short : ""}`}>
      {formatCount(present)} of {formatCount(wanted)}
    </span>
  );
}

export function Nothing() {
  return (
    <span className={styles.quiet}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">none</span>
    </span>
  );
}
