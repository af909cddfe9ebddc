"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { NodeLoadBalancer } from "@cloudwright/store/views/load-balancers";
import { useMemo } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import styles from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { RowStatus } from "../../../components/status/row-status.tsx";
import type { Column } from "../../../components/table/column.ts";
import { column, textColumn } from "../../../components/table/columns.tsx";
import { DataTable } from "../../../components/table/data-table.tsx";
import { RecordLink } from "../../../components/table/record-columns.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { ExportMenu } from "../../../platform/lists/export-menu.tsx";
import { MemberWhy } from "../../../platform/objects/member-why.tsx";
import { VERDICT_PRESENTATION } from "../../../platform/objects/members.ts";
import { useNodeLoadBalancers } from "./use-node-load-balancers.ts";

export function LoadBalancersTab({ name }: { readonly name: string }) {
  const cluster = useClusterId();
  const query = useNodeLoadBalancers(cluster, name);
  const columns = useMemo(() => loadBalancerColumns(cluster), [cluster]);
  if (query.data === undefined) {
    return <Pending isCard query={query} />;
  }
  const { balancers: loadBalancers } = query.data;
  if (loadBalancers.length === 0) {
    return (
      <EmptyState isCard title={t`No load balancer has a verdict for this node`}>
        {mixed`Each load balancer of the cluster has a verdict for every node, with its reason.
          ${<Link href={addresses.balancers(cluster)}>{t`Show all load balancers`}</Link>}`}
      </EmptyState>
    );
  }
  return (
    <div className={`${page.card} flex column clip ${styles.runs}`}>
      <div className={`pad-2-4 ${page.toolbar}`}>
        <span className="push" />
        <ExportMenu of={{ list: "node-load-balancers", cluster, filter: { name } }} />
      </div>
      <DataTable
        label={t`Load balancers of ${name}`}
        columns={columns}
        rows={loadBalancers}
        total={loadBalancers.length}
        rowKey={({ service }) => service}
        folds="always"
      />
    </div>
  );
}

function loadBalancerColumns(cluster: string): readonly Column<NodeLoadBalancer>[] {
  const pageOf = ({ service }: NodeLoadBalancer) => addresses.balancer(cluster, service, "members");
  return [
    column(["service", "Service", 200, { narrow: "second", pinned: true, pageOf }], (row) => (
      <RecordLink name={row.service} href={pageOf(row)} />
    )),
    column(["verdict", t`This node`, 110, { narrow: "first" }], ({ verdict }) => (
      <RowStatus status={VERDICT_PRESENTATION[verdict.verdict]} />
    )),
    column(["why", t`Why`, 320, { grows: true, folds: true, narrow: "line" }], ({ verdict }) => (
      <MemberWhy verdict={verdict} />
    )),
    textColumn(["address", t`Address`, 160], ({ addresses: all }) => all.join(", "), {
      isCode: true,
    }),
    column(["state", t`State`, 116], ({ state }) => (
      <RowStatus status={STATE_PRESENTATION[state]} />
    )),
  ];
}
