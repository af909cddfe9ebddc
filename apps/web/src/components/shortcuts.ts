"use client";
import { useEffect, useRef } from "react";
import { usePreferences } from "./preferences.ts";

export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_000;

/**
 * Single keys (`j`, `/`) and two in a row (`g n`). They are off in fields, in menus and dialogs, and while a modifier is held,
 * so that they never take a key from the browser or a screen reader.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const { shortcuts: enabled } = usePreferences();
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (!enabled) return;
    let first: { readonly key: string; readonly at: number } | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (!isForThePage(event)) return;
      const recent = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS;
      const run =
        (recent ? latest.current[`${first?.key} ${event.key}`] : undefined) ??
        latest.current[event.key];
      first = { key: event.key, at: event.timeStamp };
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [enabled]);
}

function isForThePage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  if (target.isContentEditable || target.matches("input, textarea, select")) return false;
  // Keys that press the focused control belong to it.
  if (event.key === "Enter" || event.key === " ") return !target.matches("a, button, summary");
  return target.closest("[role=dialog], [role=menu], [role=listbox]") === null;
}
