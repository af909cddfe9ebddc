"use client";
import type { ForeignRouteRow } from "@cloudwright/store/views/routes";
import { CopyButton } from "../../components/button/copy-button.tsx";
import facts from "../../components/facts/facts.module.css";
import { Nothing } from "../../components/nothing.tsx";
import type { Presentation } from "../../components/presentation/states.ts";
import { StatusChip } from "../../components/status/status-chip.tsx";
import type { Column } from "../../components/table/column.ts";
import { column, textColumn } from "../../components/table/columns.tsx";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-cells.ts";
import styles from "./routes.module.css";

/** What is known of a route that is not ours. */
export function foreignColumns(): readonly Column<ForeignRouteRow>[] {
  return [
    column(
      ["destination", "Destination", 220, { narrow: "line", pinned: true }],
      ({ destination }) => (
        <span className={facts.copied}>
          <code className="strong">{destination}</code>
          <CopyButton text={destination} label={`Copy ${destination}`} />
        </span>
      ),
    ),
    column(["place", "In the way", 160, { narrow: "first" }], (row) => (
      <StatusChip status={placeOf(row)} />
    )),
    column(["hop", "Next hop", 200, { narrow: "line" }], ({ nextHop, blackhole }) => (
      <>
        <span className={styles.narrowWord}>leads to </span>
        <NextHop nextHop={nextHop} blackhole={blackhole} />
      </>
    )),
    column(
      ["owner", "Belongs to", 220, { grows: true, folds: true, narrow: "line" }],
      ({ owner }) => (
        <>
          <span className={styles.narrowWord}>belongs to </span>
          {owner ?? <span className={styles.quiet}>no owner named</span>}
        </>
      ),
    ),
    textColumn(["table", "Table", 130, { narrow: "second" }], ({ table, tableName }) =>
      tableName === "" ? table : tableName,
    ),
    textColumn(["name", "Name", 180], ({ name }) => name),
    textColumn(["route", "Route", 170], ({ id }) => id, { isCode: true }),
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
    : { ...VERDICT_PRESENTATION.foreign, label: "Elsewhere", help: "It blocks no node." };
}
