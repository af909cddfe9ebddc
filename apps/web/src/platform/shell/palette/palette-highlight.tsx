"use client";
import type { SpotlightStore } from "@mantine/spotlight";
import { type RefObject, useEffect } from "react";

/**
 * Keeps one entry of the palette chosen. Mantine chooses the first one when the query changes and knows nothing of entries that
 * come or go later: the choice would stay on what is no longer the first, or vanish. What a user chose by the arrow keys
 * stays chosen as long as it is there. Stands after the list, so that the list is known when this looks for it.
 */
export function PaletteHighlight({
  store,
  entries,
  query,
  isMoved,
}: {
  readonly store: SpotlightStore;
  /** Says when the list has become another one. */
  readonly entries: string;
  readonly query: string;
  /** Set when a user moves the choice. */
  readonly isMoved: RefObject<boolean>;
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query begins with its first entry.
  useEffect(() => {
    isMoved.current = false;
  }, [query, isMoved]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries are another list in the document.
  useEffect(() => {
    const state = store.getState();
    const actions = actionsOf(state.listId);
    const marked = actions.findIndex(({ dataset }) => dataset.selected !== undefined);
    const selected = isMoved.current && marked >= 0 ? marked : 0;
    actions.forEach((action, index) => {
      if (index === selected) action.dataset.selected = "true";
      else delete action.dataset.selected;
    });
    store.setState({ ...state, selected: actions.length === 0 ? -1 : selected });
  }, [entries, query, store, isMoved]);
  return null;
}

function actionsOf(listId: string): readonly HTMLElement[] {
  const list = document.getElementById(listId);
  return [...(list?.querySelectorAll<HTMLElement>("[data-action]") ?? [])];
}
