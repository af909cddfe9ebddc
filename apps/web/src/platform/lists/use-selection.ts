"use client";
import type { Reason } from "@cloudwright/core/model/reason";
import type { State } from "@cloudwright/core/model/state";
import { useMemo, useState } from "react";
import type { ActionChoice } from "../actions/action-choice.ts";

/** What a selection needs to know of a row. */
export interface SelectableRow {
  readonly name: string;
  readonly uid: string;
  readonly state: State;
  /** Why it is in that state. */
  readonly reason?: Reason;
  /** Nothing can be done with it now, for another reason than that it is gone. */
  readonly isExcluded?: boolean;
}

export interface Selection<Row extends SelectableRow> {
  /** What may be asked for each that is marked, by UID, in the order in which they were chosen. */
  readonly chosen: ReadonlyMap<string, readonly ActionChoice[]>;
  /** Nothing can be done with what is gone, so that is never marked. */
  toggle(row: Row): void;
  /** All of these, or the first of them up to the most; none of them when all those are chosen. */
  toggleAll(rows: readonly Row[]): void;
  readonly clear: () => void;
}

/**
 * The rows that a user has marked; they stay marked when the filter moves on. The same object until the choice, or what is
 * done with a row, changes.
 */
export function useSelection<Row extends SelectableRow>(
  actionsOf: (row: Row) => readonly ActionChoice[],
  most = Number.POSITIVE_INFINITY,
): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, readonly ActionChoice[]>>(new Map());
  return useMemo(() => {
    return {
      chosen,
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
    };
  }, [actionsOf, chosen, most]);
}

/** Whether a row can be marked. */
export function isSelectable({
  state,
  isExcluded = false,
}: Pick<SelectableRow, "state" | "isExcluded">): boolean {
  return state !== "gone" && !isExcluded;
}
