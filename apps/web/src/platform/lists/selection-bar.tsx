"use client";
import { t } from "@cloudwright/core/model/language/text";
import { createContext, useContext } from "react";
import page from "../../components/page/page.module.css";
import type { Column } from "../../components/table/column.ts";
import { useFetched } from "../../components/use-fetched.ts";
import type { BulkOf } from "../actions/bulk-choice.ts";
import styles from "./selection.module.css";
import { isSelectable, type SelectableRow, type Selection } from "./use-selection.ts";

const load = () => import("./chosen-actions.tsx").then(({ ChosenActions }) => ChosenActions);

/** The actions for the selected rows, fetched with the first selection. */
export function SelectionBar({
  selection: { chosen, clear },
  of,
}: {
  readonly selection: Pick<Selection<SelectableRow>, "chosen" | "clear">;
  /** What the rows are called. */
  readonly of: BulkOf;
}) {
  const ChosenActions = useFetched(load, chosen.size === 0 ? undefined : "chosen");
  return (
    <div role="status" className={styles.selection}>
      {chosen.size === 0 || ChosenActions === undefined ? null : (
        <div className={page.toolbar}>
          <ChosenActions chosen={chosen} clear={clear} of={of} />
        </div>
      )}
    </div>
  );
}

/**
 * The selected rows, for the boxes below: the boxes alone are drawn again when the selection changes. With a column that changed with it, the
 * table would be drawn again with all its rows.
 */
export const ChosenRows = createContext<Selection<SelectableRow>["chosen"]>(new Map());

/** A selection box on each row, and one for all loaded rows; the table has to be within `ChosenRows`. */
export function selectionColumn<Row extends SelectableRow>(
  { toggle, toggleAll }: Pick<Selection<Row>, "toggle" | "toggleAll">,
  rows: readonly Row[],
): Column<Row, never> {
  const present = rows.filter(isSelectable);
  return {
    id: "select",
    header: t`Select`,
    head: <AllBox rows={present} onChange={() => toggleAll(present)} />,
    width: 52,
    narrow: "corner",
    cell: (row) => (isSelectable(row) ? <RowBox row={row} onChange={() => toggle(row)} /> : null),
  };
}

function AllBox({
  rows,
  onChange,
}: {
  readonly rows: readonly SelectableRow[];
  readonly onChange: () => void;
}) {
  const chosen = useContext(ChosenRows);
  const count = rows.filter(({ uid }) => chosen.has(uid)).length;
  return (
    <Box
      label={t`Select all rows that are loaded`}
      checked={rows.length > 0 && count === rows.length}
      isMixed={count > 0 && count < rows.length}
      onChange={onChange}
    />
  );
}

function RowBox({
  row: { name, uid },
  onChange,
}: {
  readonly row: SelectableRow;
  readonly onChange: () => void;
}) {
  const chosen = useContext(ChosenRows);
  return <Box label={t`Select ${name}`} checked={chosen.has(uid)} onChange={onChange} />;
}

function Box({
  label,
  checked,
  isMixed = false,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly isMixed?: boolean;
  readonly onChange: () => void;
}) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          if (input !== null) input.indeterminate = isMixed;
        }}
        onChange={onChange}
      />
    </label>
  );
}
