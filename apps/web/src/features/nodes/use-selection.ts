"use client";
import type { NodeRow } from "@cloudwright/store/views";
import { useMemo, useState } from "react";
import type { NodeTarget } from "../actions/action-choice.ts";

/** What a selection needs to know of a node. */
export type SelectableNode = Pick<NodeRow, "name" | "uid" | "controller" | "state">;

export interface Selection {
  /** By UID, in the order in which they were chosen. */
  readonly chosen: ReadonlyMap<string, NodeTarget>;
  toggle(row: SelectableNode): void;
  /** All of these, or none of them when all are chosen. */
  toggleAll(rows: readonly SelectableNode[]): void;
  readonly clear: () => void;
}

/** The rows that a person has marked; they stay marked when the filter moves on. The same object until the choice changes. */
export function useSelection(cluster: string): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, NodeTarget>>(new Map());
  return useMemo(() => {
    const targetOf = ({ controller, name, uid }: SelectableNode) => ({
      cluster,
      controller,
      name,
      uid,
    });
    return {
      chosen,
      toggle: (row) =>
        setChosen((now) => {
          const next = new Map(now);
          if (!next.delete(row.uid)) next.set(row.uid, targetOf(row));
          return next;
        }),
      toggleAll: (rows) =>
        setChosen((now) => {
          const next = new Map(now);
          const isAll = rows.every(({ uid }) => now.has(uid));
          for (const row of rows) {
            if (isAll) next.delete(row.uid);
            else next.set(row.uid, targetOf(row));
          }
          return next;
        }),
      clear: () => setChosen(new Map()),
    };
  }, [cluster, chosen]);
}
