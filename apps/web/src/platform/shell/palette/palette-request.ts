"use client";
import { createSpotlight } from "@mantine/spotlight";
import { useSyncExternalStore } from "react";

/** How often the palette was asked for. The palette itself is loaded with the first time: few pages ever need it. */
let turns = 0;
const listeners = new Set<() => void>();

export function openPalette(): void {
  turns += 1;
  for (const listener of listeners) listener();
}

export function usePaletteTurns(): number {
  return useSyncExternalStore(
    subscribe,
    () => turns,
    () => 0,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The palette's state, and what opens it once it is loaded; apart from the request for it, so that no page loads it unasked. */
export const [paletteStore, palette] = createSpotlight();
