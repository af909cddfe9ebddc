"use client";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { usePreferences } from "./preferences.ts";

export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_000;

/**
 * Single keys (`j`, `/`) and two in a row (`g n`). They are off in fields, in menus and dialogs, and while a modifier is held,
 * so that they never take a key from the browser or a screen reader. They are there as soon as what they belong to is seen.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const { shortcuts: enabled } = usePreferences();
  const latest = useLatest(shortcuts);
  useLayoutEffect(() => {
    if (!enabled) return;
    let first: Press | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (!isForThePage(event)) return;
      const run = shortcutFor(latest.current, event, first);
      first = { key: event.key, at: event.timeStamp };
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [enabled, latest]);
}

interface Press {
  readonly key: string;
  readonly at: number;
}

function shortcutFor(
  shortcuts: Shortcuts,
  { key, timeStamp }: KeyboardEvent,
  first: Press | undefined,
): (() => void) | undefined {
  if (first === undefined || timeStamp - first.at > SEQUENCE_MS) return shortcuts[key];
  return shortcuts[`${first.key} ${key}`] ?? shortcuts[key];
}

function isForThePage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  if (target.isContentEditable || target.matches("input, textarea, select")) return false;
  // Keys that press the focused control belong to it.
  if (event.key === "Enter") return !target.matches("a, button, summary");
  // Elsewhere it scrolls; a link in a row neither needs it nor scrolls well.
  if (event.key === " ") return target.matches("tr a");
  return target.closest("[role=dialog], [role=menu], [role=listbox]") === null;
}

/**
 * What was rendered last, for listeners that stay. It is there with the page itself and not a moment after it, so that a key or a
 * click acts upon what the user sees.
 */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
