"use client";
import { Button } from "../../components/button.tsx";
import page from "../../components/page.module.css";
import {
  BULK_MOST,
  type BulkChoice,
  bulkCount,
  bulkThings,
  bulkVerb,
} from "../actions/bulk-choice.ts";
import { openDialog } from "../actions/dialog-store.ts";
import { GatedButton } from "../actions/gated-button.tsx";
import { useWhyNot } from "../actions/use-leave.ts";
import styles from "./selection.module.css";
import type { SelectableRow, Selection } from "./use-selection.ts";

/** What can be done with the rows that are marked. */
export function SelectionBar({
  cluster,
  selection: { chosen, clear },
  of,
}: {
  readonly cluster: string;
  readonly selection: Pick<Selection<SelectableRow>, "chosen" | "clear">;
} & Pick<BulkChoice, "of">) {
  const notMine = useWhyNot("retry");
  const isTooMany = chosen.size > BULK_MOST;
  const tooMany = `At most ${BULK_MOST} ${bulkThings({ of })} are retried at once, so that their plans can be read.`;
  return (
    <div role="status" className={styles.selection}>
      {chosen.size === 0 ? null : (
        <div className={page.toolbar}>
          <span>{bulkCount({ of }, chosen.size)} selected</span>
          <GatedButton
            look="primary"
            whyNot={notMine ?? (isTooMany ? tooMany : undefined)}
            onClick={({ currentTarget }) =>
              openDialog({
                choice: {
                  kind: "bulk-retry",
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
          <Button look="quiet" onClick={clear}>
            Clear selection
          </Button>
          {isTooMany ? <span className={styles.note}>{tooMany}</span> : null}
        </div>
      )}
    </div>
  );
}
