"use client";
import { createSpotlight } from "@mantine/spotlight";
import { useState, useSyncExternalStore } from "react";

/** How often the palette was asked for. The palette itself is loaded with the first time: few pages ever need it. */
let turns = 0;
const listeners = new Set<() => void>();

export function openPalette(): void {
  turns += 1;
  for (const listener of listeners) listener();
}

/** How often since the frame that asks was drawn: the palette that led to another cluster's frame is not opened there once more. */
export function usePaletteTurns(): number {
  const now = useSyncExternalStore(
    subscribe,
    () => turns,
    () => 0,
  );
  const [before] = useState(now);
  return now - before;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The palette's state, and what opens it once it is loaded; apart from the request for it, so that no page loads it unasked. */
export const [paletteStore, palette] = createSpotlight();
