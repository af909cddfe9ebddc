"use client";
import { BOUND_KEYS, type ChosenKeys, chosenKey } from "@cloudwright/core/model/preferences";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { usePreferences } from "./preferences.ts";

export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_000;

/**
 * Binds single keys (`j`, `/`) and sequences of two (`g n`). They are off in fields, menus and dialogs and while a modifier is held, so
 * that they never take a key from the browser or a screen reader. They work as soon as the part that they belong to is visible. They are
 * named by their default keys; users may have chosen others.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const { shortcuts: enabled, keys } = usePreferences();
  const latest = useLatest(shortcuts);
  useLayoutEffect(() => {
    if (!enabled) return;
    let first: Press | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (!isForThePage(event)) return;
      const meant = keyMeant(event.key, keys);
      const run = shortcutFor(
        latest.current,
        { pressed: event.key, meant },
        sequence(first, event),
      );
      first = meant === undefined ? undefined : { key: meant, at: event.timeStamp };
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [enabled, keys, latest]);
}

interface Press {
  readonly key: string;
  readonly at: number;
}

/** Returns the default key whose function this key now has; undefined for a key whose own function was moved elsewhere. */
export function keyMeant(pressed: string, keys: ChosenKeys): string | undefined {
  const meant = BOUND_KEYS.find((key) => chosenKey(keys, key) === pressed);
  const isGivenAway = BOUND_KEYS.some((key) => key === pressed);
  return meant ?? (isGivenAway ? undefined : pressed);
}

/** Returns the previous key if it can start a sequence of two. */
function sequence(first: Press | undefined, { timeStamp }: KeyboardEvent): string | undefined {
  return first === undefined || timeStamp - first.at > SEQUENCE_MS ? undefined : first.key;
}

/** The second key of a sequence is a letter of a page's name and cannot be changed. */
function shortcutFor(
  shortcuts: Shortcuts,
  { pressed, meant }: { readonly pressed: string; readonly meant: string | undefined },
  first: string | undefined,
): (() => void) | undefined {
  const second = first === undefined ? undefined : shortcuts[`${first} ${pressed}`];
  return second ?? (meant === undefined ? undefined : shortcuts[meant]);
}

function isForThePage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  if (target.isContentEditable || target.matches("input, textarea, select")) return false;
  // Keys that press the focused control belong to that control.
  if (event.key === "Enter") return !target.matches("a, button, summary");
  // Elsewhere Space scrolls the page; a link in a row does not need it.
  if (event.key === " ") return target.matches("tr a");
  return target.closest("[role=dialog], [role=menu], [role=listbox]") === null;
}

/**
 * Returns a ref to the latest rendered value, for listeners that stay registered. It is updated together with the page, so that a key or a
 * click acts on what the user sees.
 */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
