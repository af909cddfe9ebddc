import type { RouteCell } from "@cloudwright/core/model/route-record";
import { StatusIcon } from "../../components/status-icon.tsx";
import { VERDICT_PRESENTATION } from "../../platform/objects/route-cells.ts";
import styles from "./routes.module.css";

/** A cell of the matrix: symbol, range and word; it opens the route beside the list. */
export function CellButton({
  cell: { cidr, verdict },
  node,
  onOpen,
}: {
  readonly cell: RouteCell;
  readonly node: string;
  readonly onOpen: () => void;
}) {
  const status = VERDICT_PRESENTATION[verdict];
  return (
    <button type="button" className={styles.cell} title={status.help} onClick={onOpen}>
      <StatusIcon status={status} size={15} />
      <code>{cidr}</code>
      <span className={verdict === "keep" ? "visually-hidden" : styles.word}>{status.label}</span>
      <span className="visually-hidden">, route of {node}</span>
    </button>
  );
}
