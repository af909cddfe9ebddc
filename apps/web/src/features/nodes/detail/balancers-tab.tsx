"use client";
import type { NodeBalancer } from "@cloudwright/store/views/balancers";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "../../../components/api.ts";
import { Link } from "../../../components/link.tsx";
import styles from "../../../components/page/detail-page.module.css";
import page from "../../../components/page/page.module.css";
import { EmptyState, Pending } from "../../../components/page/panel-states.tsx";
import { STATE_PRESENTATION } from "../../../components/presentation/states.ts";
import { StatusChip } from "../../../components/status/status-chip.tsx";
import type { Column } from "../../../components/table/column.ts";
import { DataTable } from "../../../components/table/data-table.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { memberReason, VERDICT_PRESENTATION } from "../../../platform/objects/members.ts";

/** How the node stands towards each load balancer; the page's tab counts those that it is behind. */
export function useNodeBalancers(cluster: string, name: string) {
  const api = useApi();
  return useQuery(api.balancers.ofNode.queryOptions({ cluster, name }));
}

export function BalancersTab({
  cluster,
  name,
}: {
  readonly cluster: string;
  readonly name: string;
}) {
  const query = useNodeBalancers(cluster, name);
  const columns = useMemo(() => balancerColumns(cluster), [cluster]);
  if (query.data === undefined) {
    return (
      <div className={page.card}>
        <Pending query={query} />
      </div>
    );
  }
  const { balancers } = query.data;
  if (balancers.length === 0) {
    return (
      <div className={page.card}>
        <EmptyState title="No load balancer has judged this node">
          Each load balancer of the cluster has a verdict for every node, with its reason.{" "}
          <Link href={addresses.balancers(cluster)}>Show all load balancers</Link>
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={`${page.card} ${styles.runs}`}>
      <DataTable
        label={`Load balancers of ${name}`}
        columns={columns}
        rows={balancers}
        total={balancers.length}
        rowKey={({ service }) => service}
        folds="always"
      />
    </div>
  );
}

function balancerColumns(cluster: string): readonly Column<NodeBalancer>[] {
  return [
    {
      id: "service",
      header: "Service",
      width: 200,
      narrow: "second",
      pinned: true,
      cell: ({ service }) => (
        <Link
          className={styles.strong}
          href={addresses.balancer(cluster, service, "members")}
          prefetch={false}
        >
          {service}
        </Link>
      ),
    },
    {
      id: "verdict",
      header: "This node",
      width: 110,
      narrow: "first",
      cell: ({ verdict }) => <StatusChip status={VERDICT_PRESENTATION[verdict.verdict]} />,
    },
    {
      id: "why",
      header: "Why",
      width: 320,
      grows: true,
      folds: true,
      narrow: "line",
      cell: ({ verdict }) => {
        const text = memberReason(verdict);
        return <span title={text}>{text}</span>;
      },
    },
    {
      id: "address",
      header: "Address",
      width: 160,
      cell: ({ addresses: all }) => {
        const text = all.join(", ");
        return text === "" ? <span className={styles.quiet}>none</span> : <code>{text}</code>;
      },
    },
    {
      id: "state",
      header: "State",
      width: 116,
      cell: ({ state }) => <StatusChip status={STATE_PRESENTATION[state]} />,
    },
  ];
}
