"use client";
import { Button } from "../../components/button/button.tsx";
import page from "../../components/page/page.module.css";
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
          {isTooMany ? <span className={styles.note}>{tooMany}</span> : null}
        </div>
      )}
    </div>
  );
}
