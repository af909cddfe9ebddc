"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { MemberVerdict } from "@cloudwright/core/model/records/load-balancer-record";
import { useCallback, useMemo } from "react";
import detailPage from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState } from "../../../components/page/panel-states.tsx";
import { SearchBox } from "../../../components/search-box.tsx";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { RecordLink } from "../../../components/table/record-columns.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { Counters } from "../../../platform/lists/counters.tsx";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { wanted } from "../../../platform/lists/list-view.ts";
import { MemberWhy } from "../../../platform/objects/member-why.tsx";
import {
  countVerdicts,
  memberReason,
  shownMembers,
  VERDICT_PRESENTATION,
} from "../../../platform/objects/members.ts";
import styles from "./load-balancer-page.module.css";
import type { LoadBalancerTabProps } from "./load-balancer-url.ts";

const VERDICTS = ["in", "soon", "leaving", "out"] as const;

/** Every node with its verdict and the reason. */
export function MembersTab({ loadBalancer, view, push, replace }: LoadBalancerTabProps) {
  const cluster = useClusterId();
  const members = loadBalancer.detail?.members ?? [];
  const { member, text } = view;
  const rows = useMemo(() => shownMembers(members, { member, text }), [members, member, text]);
  const columns = useMemo(() => memberColumns(cluster), [cluster]);
  const onText = useCallback(
    (given: string) => replace((now) => ({ ...now, text: given })),
    [replace],
  );
  if (members.length === 0) {
    return (
      <EmptyState isCard title={t`No node has a verdict yet`}>
        {t`Every node gets a verdict when this load balancer is first observed.`}
      </EmptyState>
    );
  }
  return (
    // Switching to another load balancer's verdicts is not a change of this one's.
    <div key={loadBalancer.row.uid} className={`${page.card} flex column clip ${detailPage.runs}`}>
      <div className={styles.bar}>
        <Counters
          label={t`Filter by verdict`}
          ids={VERDICTS}
          presentation={VERDICT_PRESENTATION}
          counts={countVerdicts(members)}
          chosen={[member]}
          onToggle={(chosen) =>
            push((now) => ({ ...now, member: now.member === chosen ? "all" : chosen }))
          }
        />
        <SearchBox label={t`Filter nodes`} placeholder={t`Node`} value={text} onChange={onText} />
        <span className="push" />
        <ExportMenu
          of={{ list: "members", cluster, filter: exportedMembers(loadBalancer, view) }}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState title={t`No node matches this filter`} />
      ) : (
        <DataTable
          label={t`Members`}
          columns={columns}
          rows={rows}
          total={rows.length}
          rowKey={(row) => `${row.node} ${row.providerID ?? ""}`}
          folds="always"
        />
      )}
    </div>
  );
}

function exportedMembers(
  { row }: LoadBalancerTabProps["loadBalancer"],
  view: LoadBalancerTabProps["view"],
) {
  const { member, text } = view;
  return {
    ...{ namespace: row.namespace, name: row.service },
    member: member === "all" ? undefined : member,
    text: wanted(text),
  };
}

export function memberColumns(cluster: string): readonly Column<MemberVerdict>[] {
  const pageOf = ({ node }: MemberVerdict) => addresses.node(cluster, node);
  return [
    column(["node", t`Node`, 190, { narrow: "second", pinned: true, pageOf }], (member) =>
      member.why === "foreign" ? (
        <code>{member.node}</code>
      ) : (
        <RecordLink href={pageOf(member)} name={member.node} />
      ),
    ),
    column(
      ["verdict", t`Member`, 100, { narrow: "first", value: ({ verdict }) => verdict }],
      ({ verdict }) => <RowStatus status={VERDICT_PRESENTATION[verdict]} />,
    ),
    column(
      ["why", t`Why`, 320, { grows: true, folds: true, narrow: "line", value: memberReason }],
      (verdict) => <MemberWhy verdict={verdict} />,
    ),
    textColumn(["provider", t`Provider ID`, 220], ({ providerID }) => providerID, { isCode: true }),
  ];
}
