"use client";
import { createSpotlight } from "@mantine/spotlight";
import { useState, useSyncExternalStore } from "react";

/** How often the palette was requested. It is loaded on the first request, because few pages ever need it. */
let turns = 0;
const listeners = new Set<() => void>();

export function openPalette(): void {
  turns += 1;
  for (const listener of listeners) listener();
}

/** Returns how often since this frame was drawn, so that a palette that led to another cluster's frame does not open there again. */
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

/**
 * The palette's state and the function that opens it once loaded; separate from the request for it, so that no page loads it unnecessarily.
 */
export const [paletteStore, palette] = createSpotlight();
