"use client";
import type { TakeoverView } from "@cloudwright/store/views/takeover";
import { Button } from "../../components/button/button.tsx";
import { Link } from "../../components/link.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { EmptyState } from "../../components/page/panel-states.tsx";
import type { Column } from "../../components/table/column.ts";
import { column } from "../../components/table/columns.tsx";
import { RecordLink } from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import styles from "./takeover.module.css";

/** In the place of a list whose filter leaves nothing. */
export function NoMatches({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState title="Nothing in this list matches the filter">
      <Button onClick={onClear}>Show all</Button>
    </EmptyState>
  );
}

/** What each list of the page is given. */
export interface TakeoverListProps {
  readonly cluster: string;
  readonly takeover: TakeoverView;
  readonly text: string;
  readonly onClear: () => void;
}

interface ObjectRow {
  readonly kind: "Service" | "Node";
  readonly name: string;
}

/** Whose load balancer or route it is, or would be. */
export function objectColumn<Row extends ObjectRow>(cluster: string): Column<Row, never> {
  return column(["object", "Object", 220, { narrow: "first", pinned: true }], ({ kind, name }) => (
    <span className={styles.object}>
      <span className="quiet">{kind}</span>{" "}
      <RecordLink name={name} href={addressOf(cluster, { kind, name })} />
    </span>
  ));
}

/** The run in which it was done or seen; the name tells its link from the others for those who hear it. */
export function runColumn<
  Row extends { readonly runId: string | undefined; readonly name: string },
>(cluster: string): Column<Row, never> {
  return column(["run", "Run", 100], ({ runId, name }) =>
    runId === undefined ? (
      <Nothing />
    ) : (
      <Link href={addresses.run(cluster, runId)} prefetch={false}>
        Run<span className="visually-hidden"> of {name}</span>
      </Link>
    ),
  );
}

function addressOf(cluster: string, { kind, name }: ObjectRow): string {
  return kind === "Node"
    ? addresses.node(cluster, name, "routes")
    : addresses.balancer(cluster, name);
}
