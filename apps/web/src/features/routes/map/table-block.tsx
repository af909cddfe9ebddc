"use client";
import { t } from "@cloudwright/core/model/language/text";
import type { RouteMapCell } from "@cloudwright/store/views/route-map";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useId, useRef } from "react";
import { mixed } from "../../../components/language/mixed-text.ts";
import { Link } from "../../../components/link.tsx";
import { formatCount } from "../../../components/presentation/format-text.ts";
import { DRIFT_PRESENTATION } from "../../../components/presentation/states.ts";
import { RowIcon } from "../../../components/status/row-status.tsx";
import { StatusIcon } from "../../../components/status/status-icon.tsx";
import { addresses } from "../../../components/url/addresses.ts";
import { useClusterId } from "../../../components/url/use-url-state.ts";
import { VERDICT_PRESENTATION } from "../../../platform/objects/route-verdicts.ts";
import { countOf } from "../../../platform/wording/action-title.ts";
import { TableGauge } from "../table-gauge.tsx";
import { isTight, roomText, usedText } from "../table-messages.ts";
import { differencesOf, type Family, type MapBlock, type MapRow } from "./map-blocks.ts";
import styles from "./route-map.module.css";

const ROW_HEIGHT = 28;
/** How many rows of a block are visible without scrolling. A single block has the whole page. */
const ROWS_MOST = { alone: 19, beside: 12 } as const;

interface BlockProps {
  readonly block: MapBlock;
  readonly families: readonly Family[];
  readonly isFiltered: boolean;
  /** Whether it is the only block. */
  readonly isAlone: boolean;
  /** `node/pod range` of the cell whose route is open. */
  readonly chosen: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** A route table: how full it is, what differs in it, and a row for each node with its routes. */
export function TableBlock(props: BlockProps) {
  const { block, isFiltered } = props;
  const id = useId();
  return (
    <section className={styles.block} aria-labelledby={id}>
      <header className={styles.head}>
        <BlockName block={block} id={id} />
        <BlockCounts block={block} />
      </header>
      {block.rows.length === 0 ? (
        <p className="pad-3-4 small quiet">
          {isFiltered ? t`No node of this table matches.` : t`No node has a route in it.`}
        </p>
      ) : (
        <Rows {...props} />
      )}
    </section>
  );
}

function BlockName({
  block: { id, table },
  id: heading,
}: Pick<BlockProps, "block"> & { readonly id: string }) {
  if (table === undefined) {
    return (
      <h2 id={heading} className="body-size bold">
        {id ?? t`In no table yet`}
      </h2>
    );
  }
  const { tableName } = table;
  return (
    <>
      <span className="flex centred wrap gap-2">
        {isTight(table) ? <StatusIcon status={DRIFT_PRESENTATION.drifted} size={14} /> : null}
        <h2 id={heading} className="body-size bold">
          {tableName === "" ? table.id : tableName}
        </h2>
        <span className="small figures second push">
          {usedText(table)}, {roomText(table)}
        </span>
      </span>
      <TableGauge table={table} isSmall />
    </>
  );
}

function BlockCounts({ block }: Pick<BlockProps, "block">) {
  const differences = differencesOf(block);
  return (
    <p className={`flex wrap small second ${styles.counts}`}>
      {differences.map(({ verdict, count }) => (
        <span key={verdict} className="flex centred gap-icon ink">
          <StatusIcon status={VERDICT_PRESENTATION[verdict]} size={13} />
          {VERDICT_PRESENTATION[verdict].label} {formatCount(count)}
        </span>
      ))}
      <span className="quiet">
        {mixed`${formatCount(block.counts.keep)} in sync · ${countOf(block.nodes, "node")}`}
      </span>
    </p>
  );
}

/** The visible rows, as a table in which arrow keys move from cell to cell. */
function Rows({ block, families, isAlone, chosen, onOpen }: BlockProps) {
  const scroller = useRef<HTMLElement>(null);
  const { rows } = block;
  const name = block.table?.tableName ?? block.id;
  const most = isAlone ? ROWS_MOST.alone : ROWS_MOST.beside;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      className={styles.rows}
      style={{ height: (Math.min(rows.length, most) + 1) * ROW_HEIGHT }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
      tabIndex={0}
      aria-label={name === undefined ? t`Nodes in no table` : t`Nodes of ${name}`}
    >
      <table className={styles.table} aria-rowcount={rows.length + 1} onKeyDown={goToCell}>
        <thead>
          <tr>
            <th scope="col">{t`Node`}</th>
            {families.map((family) => (
              <th key={family} scope="col">
                {mixed`${family} pod range`}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <NodeRow key={row.node} {...{ row, index, families, chosen, onOpen }} />
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
    </section>
  );
}

function NodeRow({
  row,
  index,
  families,
  chosen,
  onOpen,
}: Pick<BlockProps, "families" | "chosen" | "onOpen"> & {
  readonly row: MapRow;
  readonly index: number;
}) {
  const cluster = useClusterId();
  return (
    <tr aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }}>
      <th scope="row" className="clip ellipsis nowrap">
        <Link
          className="plain-link"
          href={addresses.node(cluster, row.node, "routes")}
          prefetch={false}
          tabIndex={-1}
        >
          {row.node}
        </Link>
      </th>
      {families.map((family) => (
        <td key={family} className="clip nowrap">
          {row[family].length === 0 ? (
            <span className="small quiet">{t`none`}</span>
          ) : (
            row[family].map((cell) => (
              <CellButton
                key={`${cell.cidr} ${cell.verdict}`}
                cell={cell}
                node={row.node}
                isChosen={chosen === `${row.node}/${cell.cidr}`}
                onOpen={onOpen}
              />
            ))
          )}
        </td>
      ))}
    </tr>
  );
}

/** Symbol and range; the word is shown if the route is not as it should be, and is always there for screen readers. */
function CellButton({
  cell: { cidr, verdict },
  node,
  isChosen,
  onOpen,
}: {
  readonly cell: RouteMapCell;
  readonly node: string;
  readonly isChosen: boolean;
  readonly onOpen: (id: string) => void;
}) {
  const status = VERDICT_PRESENTATION[verdict];
  return (
    <button
      type="button"
      className={styles.cell}
      title={status.help}
      aria-current={isChosen ? "true" : undefined}
      onClick={() => onOpen(`${node}/${cidr}`)}
    >
      <RowIcon status={status} size={14} />
      <code>{cidr}</code>
      <span className={verdict === "keep" ? "visually-hidden" : "small medium"}>
        {status.label}
      </span>
      <span className="visually-hidden">{mixed`, route of ${node}`}</span>
    </button>
  );
}

function Spacer({ height }: { readonly height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}

const STEPS: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** Moves from cell to cell with the arrow keys. The rows just out of sight are in the document, too, and focusing one scrolls there. */
function goToCell(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const button = event.target instanceof HTMLElement ? event.target.closest("button") : null;
  const row = button?.closest("tr");
  if (step === undefined || button === null || row === null || row === undefined) return;
  const [down, right] = step;
  const place = buttonsOf(row).indexOf(button) + right;
  const buttons = buttonsOf(down === 0 ? row : nextTo(row, down));
  const target = buttons[down === 0 ? place : Math.min(place, buttons.length - 1)];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

function nextTo(row: Element, by: number): Element | null {
  return by > 0 ? row.nextElementSibling : row.previousElementSibling;
}

function buttonsOf(row: Element | null): readonly HTMLButtonElement[] {
  return [...(row?.querySelectorAll("button") ?? [])];
}
