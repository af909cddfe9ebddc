"use client";
import type { MemberVerdict } from "@cloudwright/core/model/balancer-record";
import Link from "next/link";
import { useCallback, useMemo } from "react";
import detailPage from "../../components/detail-page.module.css";
import page from "../../components/page.module.css";
import { EmptyState } from "../../components/panel-states.tsx";
import { SearchBox } from "../../components/search-box.tsx";
import { StatusChip } from "../../components/status-chip.tsx";
import { StatusIcon } from "../../components/status-icon.tsx";
import type { Column } from "../../components/table/column.ts";
import { DataTable } from "../../components/table/data-table.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./load-balancer-page.module.css";
import {
  countVerdicts,
  type MemberFilter,
  memberReason,
  shownMembers,
  VERDICT_PRESENTATION,
} from "./members.ts";
import type { BalancerTabProps } from "./tab-props.ts";

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();
const VERDICTS = ["in", "soon", "leaving", "out"] as const;

/** Every node with its verdict and why. */
export function MembersTab({ cluster, balancer, view, push, replace }: BalancerTabProps) {
  const members = balancer.detail?.members ?? [];
  const { member, text } = view;
  const rows = useMemo(() => shownMembers(members, { member, text }), [members, member, text]);
  const columns = useMemo(() => memberColumns(cluster), [cluster]);
  const onText = useCallback(
    (given: string) => replace((now) => ({ ...now, text: given })),
    [replace],
  );
  if (members.length === 0) {
    return (
      <div className={page.card}>
        <EmptyState title="No node has been judged yet">
          Every node gets a verdict with the first look at this load balancer.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={`${page.card} ${detailPage.runs}`}>
      <div className={styles.bar}>
        <VerdictFilter
          members={members}
          chosen={member}
          onChoose={(chosen) =>
            push((now) => ({ ...now, member: now.member === chosen ? "all" : chosen }))
          }
        />
        <SearchBox label="Filter nodes" placeholder="Node" value={text} onChange={onText} />
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No node matches this filter" />
      ) : (
        <DataTable
          label="Members"
          columns={columns}
          hidden={NOTHING_HIDDEN}
          rows={rows}
          total={rows.length}
          rowKey={(row) => `${row.node} ${row.providerID ?? ""}`}
          folds="always"
        />
      )}
    </div>
  );
}

function VerdictFilter({
  members,
  chosen,
  onChoose,
}: {
  readonly members: readonly MemberVerdict[];
  readonly chosen: MemberFilter;
  readonly onChoose: (verdict: MemberFilter) => void;
}) {
  const counts = countVerdicts(members);
  return (
    <fieldset className={styles.verdicts}>
      <legend className="visually-hidden">Filter by verdict</legend>
      {VERDICTS.map((verdict) => (
        <button
          key={verdict}
          type="button"
          className={styles.verdict}
          aria-pressed={chosen === verdict}
          data-empty={counts[verdict] === 0}
          title={VERDICT_PRESENTATION[verdict].help}
          onClick={() => onChoose(verdict)}
        >
          <StatusIcon status={VERDICT_PRESENTATION[verdict]} size={14} />
          {VERDICT_PRESENTATION[verdict].label} <strong>{counts[verdict]}</strong>
        </button>
      ))}
    </fieldset>
  );
}

function memberColumns(cluster: string): readonly Column<MemberVerdict>[] {
  return [
    {
      id: "node",
      header: "Node",
      width: 190,
      narrow: "second",
      pinned: true,
      cell: ({ node, why }) =>
        why === "foreign" ? (
          <code>{node}</code>
        ) : (
          <Link className={styles.node} href={addresses.node(cluster, node)} prefetch={false}>
            {node}
          </Link>
        ),
    },
    {
      id: "verdict",
      header: "Member",
      width: 100,
      narrow: "first",
      cell: ({ verdict }) => <StatusChip status={VERDICT_PRESENTATION[verdict]} />,
    },
    {
      id: "why",
      header: "Why",
      width: 320,
      grows: true,
      folds: true,
      narrow: "line",
      cell: (row) => {
        const text = memberReason(row);
        return <span title={text}>{text}</span>;
      },
    },
    {
      id: "provider",
      header: "Provider ID",
      width: 220,
      cell: ({ providerID }) =>
        providerID === undefined ? (
          <span className={styles.quiet}>none</span>
        ) : (
          <code title={providerID}>{providerID}</code>
        ),
    },
  ];
}
