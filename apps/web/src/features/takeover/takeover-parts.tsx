"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { TakeoverPart, TakeoverView } from "@cloudwright/store/views/takeover";
import type { RowData } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { Link } from "../../components/link.tsx";
import { Nothing } from "../../components/nothing.tsx";
import { isUnread, UnreadPart } from "../../components/page/unread-part.tsx";
import type { PendingQuery } from "../../components/page/use-failure.ts";
import type { Column } from "../../components/table/column.ts";
import { column } from "../../components/table/columns.tsx";
import { RecordLink } from "../../components/table/record-columns.tsx";
import { addresses } from "../../components/url/addresses.ts";
import { type ListProps, wanted } from "../../platform/lists/list-view.ts";
import type { LoadedListProps } from "../../platform/lists/loaded-list.tsx";
import { SearchedList } from "../../platform/lists/searched-list.tsx";
import styles from "./takeover.module.css";
import { type TakeoverPageView, takeoverUrl } from "./takeover-url.ts";
import { useWholeList } from "./use-whole-list.ts";

/** The props of each list on the page. */
export interface TakeoverListProps extends ListProps<TakeoverPageView> {
  readonly found: PendingQuery & { readonly data: TakeoverView | undefined };
}

interface FoundListProps<Row extends RowData>
  extends TakeoverListProps,
    Pick<
      LoadedListProps<Row, never>,
      "label" | "columns" | "rowKey" | "above" | "below" | "onSpace"
    > {
  readonly about: string;
  /** The part of the answer that this list shows, and that can be missing. */
  readonly part: TakeoverPart;
  /** The list's name, which also keys the user's hidden columns. */
  readonly table: string;
  readonly boxes?: Column<Row, never>;
  /** The rows that match the text. */
  readonly rows: readonly Row[] | undefined;
  readonly none: ReactNode;
}

/** One list of the page: it arrives whole, and is searched here. */
export function FoundList<Row extends RowData>({
  found,
  rows,
  part,
  ...props
}: FoundListProps<Row>) {
  const query = useWholeList<Row>(found, rows);
  const isMissing = found.data !== undefined && isUnread(found.data, part);
  // If only the open actions are missing, the list is otherwise complete.
  if (isMissing && part !== "open") return <UnreadPart />;
  return (
    <>
      {isMissing ? (
        <UnreadPart>{t`Which adoptions are under way could not be read.`}</UnreadPart>
      ) : null}
      <SearchedList
        {...props}
        thing="cloud resource"
        filter={t`Filter by name`}
        placeholder={t`Service, node or cloud ID`}
        url={URL_OF_LIST}
        query={query}
        exported={{ filter: { text: wanted(props.view.text) } }}
        matchless={{ title: t`Nothing in this list matches the filter`, all: t`Show all` }}
        folds="always"
      />
    </>
  );
}

const URL_OF_LIST = {
  format: takeoverUrl.format,
  withoutFilters: (view: TakeoverPageView) => ({ ...view, text: "" }),
};

/** Returns the listed part of the answer; the same rows until a new answer or text arrives. */
export function useFound<Row>(
  { found, view }: TakeoverListProps,
  rowsOf: (found: TakeoverView, text: string) => readonly Row[],
): readonly Row[] | undefined {
  const { data } = found;
  const { text } = view;
  return useMemo(() => (data === undefined ? undefined : rowsOf(data, text)), [data, text, rowsOf]);
}

interface ObjectRow {
  readonly kind: "Service" | "Node";
  readonly name: string;
}

/** The object whose load balancer or route it is, or would be. */
export function objectColumn<Row extends ObjectRow>(cluster: string): Column<Row, never> {
  return column(["object", t`Object`, 220, { narrow: "first", pinned: true }], ({ kind, name }) => (
    <span className={styles.object}>
      <span className="quiet">{kind}</span>{" "}
      <RecordLink name={name} href={addressOf(cluster, { kind, name })} />
    </span>
  ));
}

/** The run in which it was done or seen; the name tells its link apart from the others for screen readers. */
export function runColumn<
  Row extends { readonly runId: string | undefined; readonly name: string },
>(cluster: string): Column<Row, never> {
  return column(["run", t`Run`, 100], ({ runId, name }) =>
    runId === undefined ? (
      <Nothing />
    ) : (
      <Link href={addresses.run(cluster, runId)} prefetch={false}>
        {t`Run`}
        <span className="visually-hidden"> {t`of ${name}`}</span>
      </Link>
    ),
  );
}

function addressOf(cluster: string, { kind, name }: ObjectRow): string {
  return kind === "Node"
    ? addresses.node(cluster, name, "routes")
    : addresses.balancer(cluster, name);
}
