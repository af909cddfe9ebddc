"use client";
import type { ForeignRouteRow } from "@cloudwright/store/views/routes";
import { CopyButton } from "../../components/button/copy-button.tsx";
import facts from "../../components/facts/facts.module.css";
import { Nothing } from "../../components/nothing.tsx";
import type { Presentation } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-cells.ts";
import styles from "./routes.module.css";

/** What is known of a route that is not ours. */
export function foreignColumns(): readonly Column<ForeignRouteRow>[] {
  return [
    {
      id: "destination",
      header: "Destination",
      width: 220,
      narrow: "line",
      pinned: true,
      cell: ({ destination }) => (
        <span className={facts.copied}>
          <code className={styles.name}>{destination}</code>
          <CopyButton text={destination} label={`Copy ${destination}`} />
        </span>
      ),
    },
    {
      id: "place",
      header: "In the way",
      width: 160,
      narrow: "first",
      cell: (row) => <StatusChip status={placeOf(row)} />,
    },
    {
      id: "hop",
      header: "Next hop",
      width: 200,
      narrow: "line",
      cell: ({ nextHop, blackhole }) => (
        <>
          <span className={styles.narrowWord}>leads to </span>
          <NextHop nextHop={nextHop} blackhole={blackhole} />
        </>
      ),
    },
    {
      id: "owner",
      header: "Belongs to",
      width: 220,
      grows: true,
      folds: true,
      narrow: "line",
      cell: ({ owner }) => (
        <>
          <span className={styles.narrowWord}>belongs to </span>
          {owner ?? <span className={styles.quiet}>nobody that it names</span>}
        </>
      ),
    },
    {
      id: "table",
      header: "Table",
      width: 130,
      narrow: "second",
      cell: ({ table, tableName }) => (tableName === "" ? table : tableName),
    },
    {
      id: "name",
      header: "Name",
      width: 180,
      cell: ({ name }) => (name === "" ? <Nothing /> : <span title={name}>{name}</span>),
    },
    {
      id: "route",
      header: "Route",
      width: 170,
      cell: ({ id }) => <code title={id}>{id}</code>,
    },
  ];
}

function NextHop({ nextHop, blackhole }: Pick<ForeignRouteRow, "nextHop" | "blackhole">) {
  if (blackhole) return "a machine that is gone";
  return nextHop === undefined ? <Nothing /> : <code title={nextHop}>{nextHop}</code>;
}

function placeOf({ inRange }: ForeignRouteRow): Presentation {
  return inRange
    ? {
        label: "In a pod range",
        shape: "diamond",
        tone: "drifted",
        help: "A node that gets this range cannot have its route.",
      }
    : { ...VERDICT_PRESENTATION.foreign, label: "Elsewhere", help: "It stands in no node's way." };
}
