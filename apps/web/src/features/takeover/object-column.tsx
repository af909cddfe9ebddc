"use client";
import type { Column } from "../../components/table/column.ts";
import { RecordLink } from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./takeover.module.css";

interface ObjectRow {
  readonly kind: "Service" | "Node";
  readonly name: string;
}

/** Whose load balancer or route it is, or would be. */
export function objectColumn<Row extends ObjectRow>(cluster: string): Column<Row, never> {
  return {
    id: "object",
    header: "Object",
    width: 220,
    narrow: "first",
    pinned: true,
    cell: ({ kind, name }) => (
      <span className={styles.object}>
        <span className={styles.quiet}>{kind}</span>{" "}
        <RecordLink name={name} href={addressOf(cluster, { kind, name })} />
      </span>
    ),
  };
}

function addressOf(cluster: string, { kind, name }: ObjectRow): string {
  return kind === "Node"
    ? addresses.node(cluster, name, "routes")
    : addresses.balancer(cluster, name);
}
