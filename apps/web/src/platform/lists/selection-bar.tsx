"use client";
import { Button } from "../../components/button/button.tsx";
import page from "../../components/page/page.module.css";
import type { Column } from "../../components/table/column.ts";
import { useClusterId } from "../../components/url/use-url-state.ts";
import {
  type BulkChoice,
  bulkCount,
  bulkDone,
  bulkThings,
  bulkVerb,
  mostOf,
} from "../actions/bulk-choice.ts";
import { openDialog } from "../actions/dialog-store.ts";
import { GatedButton } from "../actions/gated-button.tsx";
import { useWhyNot } from "../actions/use-leave.ts";
import styles from "./selection.module.css";
import { isSelectable, type SelectableRow, type Selection } from "./use-selection.ts";

/** What can be done with the rows that are marked. */
export function SelectionBar({
  selection: { chosen, clear },
  of,
}: {
  readonly selection: Pick<Selection<SelectableRow>, "chosen" | "clear">;
} & Pick<BulkChoice, "of">) {
  const cluster = useClusterId();
  const notMine = useWhyNot(of === "adoptions" ? "adopt" : "retry");
  const most = mostOf({ of });
  const isTooMany = chosen.size > most;
  const tooMany = `At most ${most} ${bulkThings({ of })} are ${bulkDone({ of })} at once, so that their plans can be read.`;
  return (
    <div role="status" className={styles.selection}>
      {chosen.size === 0 ? null : (
        <div className={page.toolbar}>
          <span>{bulkCount({ of }, chosen.size)} selected</span>
          <GatedButton
            appearance="primary"
            whyNot={notMine ?? (isTooMany ? tooMany : undefined)}
            onClick={({ currentTarget }) =>
              openDialog({
                choice: {
                  kind: "bulk",
                  cluster,
                  targets: [...chosen.values()],
                  of,
                  onDone: clear,
                },
                opener: currentTarget,
              })
            }
          >
            {bulkVerb({ of }, chosen.size)}…
          </GatedButton>
          <Button appearance="quiet" onClick={clear}>
            Clear selection
          </Button>
          {isTooMany ? <span className="small second">{tooMany}</span> : null}
        </div>
      )}
    </div>
  );
}

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
