"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { LoadBalancerRow, LoadBalancerSort } from "@cloudwright/store/views/load-balancers";
import { mixed } from "../../components/language/mixed-text.ts";
import { Nothing } from "../../components/nothing.tsx";
import { formatCount } from "../../components/presentation/format-text.ts";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn, timeColumn } from "../../components/table/columns.tsx";
import {
  driftColumn,
  lastRunColumn,
  leadingColumns,
} from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";

type LoadBalancerColumn = Column<LoadBalancerRow, LoadBalancerSort>;

/**
 * The columns of the list (UX brief, section 6); columns that show faults come before those with names, because narrow screens cut off the
 * end.
 */
export function loadBalancerColumns(cluster: string): readonly LoadBalancerColumn[] {
  return [
    ...leadingColumns<LoadBalancerRow>({
      ...{ id: "service", header: "Service", width: 190 },
      href: ({ name }) => addresses.balancer(cluster, name),
    }),
    membersColumn(),
    driftColumn(),
    ...cloudColumns(),
    timeColumn(
      ["changed", t`Last change`, 116, { sort: "changed", align: "end" }],
      ({ changedAt }) => changedAt,
    ),
    lastRunColumn(cluster),
  ];
}

function membersColumn(): LoadBalancerColumn {
  return column(
    [
      "members",
      t`Members`,
      96,
      {
        sort: "members",
        align: "end",
        value: ({ membersIn, membersWanted }) =>
          membersIn === undefined ? undefined : `${membersIn} ${membersWanted}`,
      },
    ],
    ({ membersIn, membersWanted }) =>
      membersIn === undefined || membersWanted === undefined ? (
        <Nothing />
      ) : (
        <Members in={membersIn} wanted={membersWanted} />
      ),
  );
}

function cloudColumns(): readonly LoadBalancerColumn[] {
  return [
    textColumn(["address", t`Address`, 150], ({ addresses: all }) => all.join(", "), {
      isCode: true,
      isNews: true,
    }),
    column(
      [
        "balancer",
        t`Load balancer`,
        190,
        { value: ({ providerID, type }) => `${type} ${providerID}` },
      ],
      ({ providerID, type }) =>
        providerID === undefined ? (
          <Nothing />
        ) : (
          <span title={`${type ?? ""} ${providerID}`.trim()}>
            {type === undefined ? null : `${type} `}
            <code>{providerID}</code>
          </span>
        ),
    ),
  ];
}

/** `41 of 44`; highlighted if there are fewer than there should be. */
function Members({ in: present, wanted }: { readonly in: number; readonly wanted: number }) {
  const isShort = present < wanted || wanted === 0;
  return (
    <span className={`figures ${isShort ? "strong" : ""}`}>
      {mixed`${formatCount(present)} of ${formatCount(wanted)}`}
    </span>
  );
}
