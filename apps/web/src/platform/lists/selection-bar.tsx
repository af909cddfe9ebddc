"use client";
import { t } from "@cloudwright/core/model/language/text";
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

/** A selection box on each row, and one for all loaded rows. */
export function selectionColumn<Row extends SelectableRow>(
  { chosen, toggle, toggleAll }: Selection<Row>,
  rows: readonly Row[],
): Column<Row, never> {
  const present = rows.filter(isSelectable);
  const count = present.filter(({ uid }) => chosen.has(uid)).length;
  return {
    id: "select",
    header: t`Select`,
    head: (
      <Box
        label={t`Select all rows that are loaded`}
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
          label={t`Select ${row.name}`}
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
