"use client";
import type { Column } from "../../components/table/column.ts";
import styles from "./selection.module.css";
import { isSelectable, type SelectableRow, type Selection } from "./use-selection.ts";

/** A box on each row, and one for all that are loaded. */
export function selectionColumn<Row extends SelectableRow>(
  { chosen, toggle, toggleAll }: Selection<Row>,
  rows: readonly Row[],
): Column<Row, never> {
  const present = rows.filter(isSelectable);
  const count = present.filter(({ uid }) => chosen.has(uid)).length;
  return {
    id: "select",
    header: "Select",
    head: (
      <Box
        label="Select all rows that are loaded"
        checked={present.length > 0 && count === present.length}
        isMixed={count > 0 && count < present.length}
        onChange={() => toggleAll(present)}
      />
    ),
    width: 52,
    narrow: "corner",
    cell: (row) =>
      isSelectable(row) ? (
        <Box
          label={`Select ${row.name}`}
          checked={chosen.has(row.uid)}
          onChange={() => toggle(row)}
        />
      ) : null,
  };
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
