"use client";
import {
  PREFERENCE_NAMES,
  PREFERENCES,
  type PreferenceName,
} from "@cloudwright/core/model/preferences";
import { createContext, useContext, useSyncExternalStore } from "react";
import { z } from "zod/mini";
import { isZone } from "./time/zone.ts";

const preferencesSchema = z.object({
  time: z.catch(PREFERENCES.time, "relative"),
  zone: z.catch(PREFERENCES.zone.check(z.refine(isZone)), "local"),
  ownZone: z.catch(PREFERENCES.ownZone.check(z.refine(isZone)), "local"),
  language: z.catch(PREFERENCES.language, "browser"),
  density: z.catch(PREFERENCES.density, "normal"),
  hiddenColumns: z.catch(PREFERENCES.hiddenColumns, {}),
  shortcuts: z.catch(PREFERENCES.shortcuts, true),
  keys: z.catch(PREFERENCES.keys, {}),
  /** Pixels by column, by table. Widths depend on the screen, so they stay in this browser. */
  columnWidths: z.catch(z.record(z.string(), z.record(z.string(), z.number())), {}),
});
export type Preferences = z.infer<typeof preferencesSchema>;

const STORAGE_KEY = "cloudwright.preferences";
const DEFAULTS: Preferences = preferencesSchema.parse({});

export const ROW_HEIGHTS: Record<Preferences["density"], number> = {
  compact: 26,
  normal: 32,
  comfortable: 40,
};

/** The preferences with which the server renders a page and the browser hydrates it. */
const FirstPreferences = createContext(DEFAULTS);
export const FirstPreferencesProvider = FirstPreferences.Provider;

const listeners = new Set<() => void>();
let current: Preferences | undefined;

/**
 * The user's preferences, shared by all parts of the page. The server renders with those kept with the account
 * (platform/viewer/keep-preferences.ts); this browser's storage has a copy, which is the starting point for an account that has none.
 */
export function usePreferences(): Preferences {
  const first = useContext(FirstPreferences);
  return useSyncExternalStore(subscribeToPreferences, currentPreferences, () => first);
}

export function changePreferences(change: (now: Preferences) => Partial<Preferences>): void {
  const now = currentPreferences();
  current = { ...now, ...change(now) };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(current));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Shows all times in a zone, and remembers it as the user's own zone. */
export function chooseZone(zone: string): void {
  changePreferences(() => (zone === "UTC" ? { zone } : { zone, ownZone: zone }));
}

export function subscribeToPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentPreferences(): Preferences {
  current ??= completed(stored());
  return current;
}

/** Fills in defaults for whatever was not chosen or cannot be shown here. */
export function completed(chosen: unknown): Preferences {
  return z.catch(preferencesSchema, DEFAULTS).parse(chosen);
}

/** Returns the preferences that were ever chosen in this browser. */
export function chosenHere(): readonly PreferenceName[] {
  const chosen = z.catch(z.record(z.string(), z.unknown()), {}).parse(stored());
  return PREFERENCE_NAMES.filter((name) => Object.hasOwn(chosen, name));
}

/** Returns only the preferences with these names. */
export function pickPreferences(
  preferences: Preferences,
  names: readonly PreferenceName[],
): Partial<Pick<Preferences, PreferenceName>> {
  return Object.fromEntries(names.map((name) => [name, preferences[name]]));
}

function stored(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}
