"use client";
import { useSyncExternalStore } from "react";
import { z } from "zod";
import { isZone } from "./time/zone.ts";

const preferencesSchema = z.object({
  time: z.enum(["relative", "absolute"]).catch("relative"),
  zone: z.string().max(100).refine(isZone).catch("local"),
  /** What the button in the bar leads back to from UTC. */
  ownZone: z.string().max(100).refine(isZone).catch("local"),
  density: z.enum(["compact", "normal", "comfortable"]).catch("normal"),
  /** Ids of hidden columns by table. */
  hiddenColumns: z.record(z.string(), z.array(z.string())).catch({}),
  /** Pixels by column, by table. */
  columnWidths: z.record(z.string(), z.record(z.string(), z.number())).catch({}),
  /** Single keys can be turned off, for those who speak to their computer (WCAG 2.1.4). */
  shortcuts: z.boolean().catch(true),
});
export type Preferences = z.infer<typeof preferencesSchema>;

const STORAGE_KEY = "cloudwright.preferences";
const DEFAULTS: Preferences = preferencesSchema.parse({});

export const ROW_HEIGHTS: Record<Preferences["density"], number> = {
  compact: 26,
  normal: 32,
  comfortable: 40,
};

const listeners = new Set<() => void>();
let current: Preferences | undefined;

/** What this browser prefers; kept in its storage and shared by all parts of the page. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, read, () => DEFAULTS);
}

export function changePreferences(change: (now: Preferences) => Partial<Preferences>): void {
  const now = read();
  current = { ...now, ...change(now) };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Shows all times in a zone, and keeps which one is somebody's own. */
export function chooseZone(zone: string): void {
  changePreferences(() => (zone === "UTC" ? { zone } : { zone, ownZone: zone }));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Preferences {
  current ??= stored();
  return current;
}

function stored(): Preferences {
  try {
    const text = localStorage.getItem(STORAGE_KEY);
    return text === null ? DEFAULTS : preferencesSchema.parse(JSON.parse(text));
  } catch {
    return DEFAULTS;
  }
}
