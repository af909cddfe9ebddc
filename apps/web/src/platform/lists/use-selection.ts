"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import type { State } from "@cloudwright/core/model/state";
import { useMemo, useState } from "react";
import type { ActionChoice } from "../actions/action-choice.ts";

/** What a selection needs to know about a row. */
export interface SelectableRow {
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  /** Why it is in that state. */
  readonly reason?: Reason;
  /** No action applies to it now, for a reason other than that it is deleted. */
  readonly isExcluded?: boolean;
}

export interface Selection<Row extends SelectableRow> {
  /** The possible actions for each selected row, by UID, in the order of selection. */
  readonly chosen: ReadonlyMap<string, readonly ActionChoice[]>;
  /** Deleted rows are never selected, because no action applies to them. */
  readonly toggle: (row: Row) => void;
  /** Selects all of these, or the first ones up to the limit; deselects them if all those are selected. */
  readonly toggleAll: (rows: readonly Row[]) => void;
  readonly clear: () => void;
}

/** Holds the rows that a user has selected; they stay selected when the filter changes. Its functions stay the same when the selection changes. */
export function useSelection<Row extends SelectableRow>(
  actionsOf: (row: Row) => readonly ActionChoice[],
  most = Number.POSITIVE_INFINITY,
): Selection<Row> {
  const [chosen, setChosen] = useState<Selection<Row>["chosen"]>(new Map());
  const acts = useMemo(
    (): Omit<Selection<Row>, "chosen"> => ({
      toggle: (row) =>
        setChosen((now) => {
          const next = new Map(now);
          if (!next.delete(row.uid) && isSelectable(row)) next.set(row.uid, actionsOf(row));
          return next;
        }),
      toggleAll: (rows) =>
        setChosen((now) => {
          const next = new Map(now);
          const present = rows.filter(isSelectable).slice(0, most);
          const isAll = present.every(({ uid }) => now.has(uid));
          for (const row of present) {
            if (isAll) next.delete(row.uid);
            else next.set(row.uid, actionsOf(row));
          }
          return next;
        }),
      clear: () => setChosen(new Map()),
    }),
    [actionsOf, most],
  );
  return useMemo(() => ({ chosen, ...acts }), [chosen, acts]);
}

/** Reports whether a row can be selected. */
export function isSelectable({
  state,
  isExcluded = false,
}: Pick<SelectableRow, "state" | "isExcluded">): boolean {
  return state !== "gone" && !isExcluded;
}
