"use client";
import type { SpotlightStore } from "@mantine/spotlight";
import { type RefObject, useEffect } from "react";

/**
 * Keeps one entry of the palette selected. Mantine selects the first entry when the query changes, but ignores entries that arrive or
 * disappear later: the selection would stay on what is no longer first, or vanish. An entry selected with the arrow keys stays selected as
 * long as it exists. This is rendered after the list, so that the list is known.
 */
export function PaletteHighlight({
  store,
  entries,
  query,
  isMoved,
}: {
  readonly store: SpotlightStore;
  /** Changes whenever the list does. */
  readonly entries: string;
  readonly query: string;
  /** Set when a user moves the selection. */
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
