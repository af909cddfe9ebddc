"use client";
import { formatCount } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import type { Total } from "@cloudwright/store/views/views";
import {
  columnVisibilityFeature,
  createColumnHelper,
  type RowData,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
} from "react";
import { mixed } from "../language/mixed-text.ts";
import { usePeekKeys } from "../neighbours/use-peek-keys.ts";
import { useTrail } from "../neighbours/use-trail.ts";
import type { Peek } from "../peek-panel/use-peek.ts";
import { ScrollEdges } from "../scroll-edges/scroll-edges.tsx";
import type { Column, SortState } from "./column.ts";
import styles from "./data-table.module.css";
import newRowsStyles from "./rows/new-rows.module.css";
import { TableRow } from "./rows/table-row.tsx";
import { useChangedValues } from "./rows/use-changed-values.ts";
import { useDimmed } from "./rows/use-dimmed.ts";
import { useDrawnRows } from "./rows/use-drawn-rows.ts";
import { type Reading, useReading } from "./rows/use-reading.ts";
import { useReturnFocus } from "./rows/use-return-focus.ts";
import { useRowFocus } from "./rows/use-row-focus.ts";
import { type Folds, useRowHeight } from "./rows/use-row-height.ts";
import { useRowPeek } from "./rows/use-row-peek.ts";
import { TableHead } from "./table-head.tsx";
import { useColumnWidths } from "./use-column-widths.ts";

const features = tableFeatures({ columnVisibilityFeature });
/** The next page is requested this many rows before the end, but in a short list only after two thirds of it. */
const LOAD_AHEAD = 60;

const NOTHING: ReadonlySet<string> = new Set();

export interface DataTableProps<Row, Sort extends string> {
  /** Names the table for screen readers, and keys its column widths in the preferences. */
  readonly label: string;
  readonly columns: readonly Column<Row, Sort>[];
  /** Ids of hidden columns; none if absent. */
  readonly hidden?: ReadonlySet<string>;
  readonly rows: readonly Row[];
  /** Undefined if it is not known exactly. */
  readonly total: number | undefined;
  readonly rowKey: (row: Row) => string;
  readonly rowTone?: (row: Row) => string | undefined;
  /** Returns what spans all columns for a row that heads the rows after it; undefined for all other rows. */
  readonly headOf?: ((row: Row) => ReactNode | undefined) | undefined;
  readonly sort?: SortState<Sort>;
  readonly onSort?: (by: Sort) => void;
  readonly onNearEnd?: (() => void) | undefined;
  readonly stale?: boolean;
  readonly folds?: Folds;
  /** Rows can be opened beside the list, each by its id. */
  readonly peek?: Peek & { readonly idOf: (row: Row) => string | undefined };
  /** Handles the Space key on a focused row. */
  readonly onSpace?: (row: Row) => void;
  /** Called when the user starts or stops reading the rows. */
  readonly reading?: Reading | undefined;
  /** When it changes, the list scrolls back to the top. */
  readonly beginning?: string | number;
}

/** The dashboard's only table: any number of rows, of which only those in sight are in the document. */
export function DataTable<Row extends RowData, Sort extends string = string>(
  props: DataTableProps<Row, Sort>,
) {
  const { rows, hidden = NOTHING, rowKey, onNearEnd, peek } = props;
  const columns = useColumnWidths(props.label, props.columns);
  const changedOf = useChangedValues({ rows, columns: props.columns, keyOf: rowKey });
  const scroller = useRef<HTMLDivElement>(null);
  const { height: rowHeight, lines } = useRowHeight(props.folds, columns, hidden);
  const table = useTable({
    features,
    columns: useColumnDefinitions<Row>(columns),
    data: rows,
    getRowId: rowKey,
    state: { columnVisibility: visibilityOf(hidden) },
  });
  const isDimmed = useDimmed(props.stale ?? false);
  const drawn = useDrawnRows({ scroller, count: rows.length, height: rowHeight });
  useNearEnd({ lastShown: drawn.lastIndex, count: rows.length, onNearEnd });
  useRowPeek(scroller, peek);
  useFocus(props, scroller, drawn.show);
  useReading(scroller, props.reading);
  useBeginning(scroller, props.beginning);

  const shown = useMemo(
    () => columns.filter(({ id, pinned }) => pinned === true || !hidden.has(id)),
    [columns, hidden],
  );
  const model = table.getRowModel().rows;
  return (
    <ScrollEdges scroller={scroller} className={styles.frame}>
      {/* No region: the panel that it stands in is often one of the same name. */}
      {/* biome-ignore lint/a11y/useSemanticElements: it groups rows, not fields. */}
      <div
        ref={scroller}
        role="group"
        className={styles.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
        tabIndex={0}
        aria-label={props.label}
      >
        <table
          className={styles.table}
          aria-rowcount={props.total === undefined ? -1 : props.total + 1}
          data-stale={props.stale ?? false}
          data-dimmed={isDimmed}
          data-lines={lines}
          style={tableWidth(shown)}
        >
          <caption className="visually-hidden">{props.label}</caption>
          <TableHead table={props.label} columns={shown} sort={props.sort} onSort={props.onSort} />
          <tbody>
            <Spacer height={drawn.before} />
            {drawn.items.map(({ index, key }) => {
              const row = model[index];
              return row === undefined ? null : (
                <TableRow
                  key={key}
                  row={row.original}
                  columns={shown}
                  index={index}
                  height={rowHeight}
                  tone={props.rowTone?.(row.original)}
                  head={props.headOf?.(row.original)}
                  peekId={peek?.idOf(row.original)}
                  changed={changedOf(row.id)}
                  isWhole={drawn.isWhole(index)}
                  isPeeked={peek?.current !== undefined && peek.current === peek.idOf(row.original)}
                />
              );
            })}
            <Spacer height={drawn.after} />
          </tbody>
        </table>
      </div>
    </ScrollEdges>
  );
}

function useNearEnd({
  lastShown,
  count,
  onNearEnd,
}: Pick<DataTableProps<unknown, string>, "onNearEnd"> & {
  readonly lastShown: number;
  readonly count: number;
}): void {
  useEffect(() => {
    if (lastShown + 1 >= count - Math.min(LOAD_AHEAD, count / 3)) onNearEnd?.();
  }, [lastShown, count, onNearEnd]);
}

function useFocus<Row, Sort extends string>(
  props: DataTableProps<Row, Sort>,
  scroller: RefObject<HTMLElement | null>,
  show: (index: number) => void,
): void {
  const { label, rows, rowKey, peek } = props;
  useTrail(rows, props.columns);
  const focusRow = useRowFocus({ scroller, count: rows.length, show, ...rowKeys(props) });
  usePeekKeys({
    ids: () => rows.map((row) => peek?.idOf(row)),
    current: peek?.current,
    onMove: (id) => {
      peek?.onMove(id);
      const index = rows.findIndex((row) => peek?.idOf(row) === id);
      // If the user is reading the panel beside the list, the focus stays there.
      if (document.activeElement?.closest("aside") === null) focusRow(index);
      else show(index);
    },
  });
  useReturnFocus({ scroller, label, rows, rowKey, focusRow });
}

/** Returns what the keys do on a row and on arriving at one. */
function rowKeys<Row>({
  rows,
  peek,
  onSpace,
}: Pick<DataTableProps<Row, string>, "rows" | "peek" | "onSpace">) {
  return {
    onMove: (index: number) => {
      const row = rows[index];
      const id = row === undefined ? undefined : peek?.idOf(row);
      if (id !== undefined) peek?.onMove(id);
    },
    onSpace: (index: number) => {
      const row = rows[index];
      if (row !== undefined) onSpace?.(row);
    },
  };
}

/** Passed as a variable, because the style sheet overrides it on narrow screens. */
function tableWidth(columns: readonly { readonly width: number }[]): CSSProperties {
  const width = columns.reduce((sum, column) => sum + column.width, 0);
  const variables: Record<`--${string}`, string> = { "--table-width": `${width}px` };
  return variables;
}

function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr className={`frameless ${styles.spacer}`} style={{ height }} /> : null;
}

/** Scrolls to the top, and takes over the focus that was lost with the button that requested it. */
function useBeginning(scroller: RefObject<HTMLElement | null>, beginning: unknown): void {
  const last = useRef(beginning);
  useEffect(() => {
    if (last.current === beginning) return;
    last.current = beginning;
    scroller.current?.scrollTo(0, 0);
    if (document.activeElement === document.body) scroller.current?.focus({ preventScroll: true });
  }, [beginning, scroller]);
}

function useColumnDefinitions<Row extends RowData>(columns: readonly Column<Row>[]) {
  return useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map(({ id, header, pinned }) =>
      helper.display({ id, header, enableHiding: pinned !== true }),
    );
  }, [columns]);
}

function visibilityOf(hidden: ReadonlySet<string>): Record<string, boolean> {
  return Object.fromEntries([...hidden].map((id) => [id, false]));
}

/**
 * Announces rows that arrived since the list was read, and shows them on request: the rows that a user is reading do not move by
 * themselves.
 */
export function NewRows({
  total,
  onShow,
}: {
  readonly total: Total | undefined;
  readonly onShow: () => void;
}) {
  const isAny = total !== undefined && total.count > 0;
  return (
    <div role="status" className="flex" data-keeps-reading="true">
      {isAny ? (
        <button
          type="button"
          className={`small bold figures pointer ${newRowsStyles.show}`}
          onClick={onShow}
        >
          {mixed`${formatTotal(total)} new — show`}
        </button>
      ) : null}
    </div>
  );
}

/** `1 run`, `12 runs`, `10,000+ runs`. */
export function countText(total: Total, one: string, many = `${one}s`): string {
  return t`${formatTotal(total)} ${total.kind === "exact" && total.count === 1 ? one : many}`;
}

function formatTotal({ count, kind }: Total): string {
  return `${formatCount(count)}${kind === "exact" ? "" : "+"}`;
}
