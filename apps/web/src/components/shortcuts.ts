"use client";
import { BOUND_KEYS, type ChosenKeys, chosenKey } from "@cloudwright/core/model/preferences";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { usePreferences } from "./preferences.ts";

export type Shortcuts = Readonly<Record<string, (() => void) | undefined>>;

const SEQUENCE_MS = 1_000;

/**
 * Single keys (`j`, `/`) and two in a row (`g n`). They are off in fields, in menus and dialogs, and while a modifier is held,
 * so that they never take a key from the browser or a screen reader. They are there as soon as what they belong to is seen.
 * They are named by the keys that they have at first; a user may have chosen others.
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

/** What a key does now, by the name that it has at first; undefined of one whose own use was given to another. */
export function keyMeant(pressed: string, keys: ChosenKeys): string | undefined {
  const meant = BOUND_KEYS.find((key) => chosenKey(keys, key) === pressed);
  const isGivenAway = BOUND_KEYS.some((key) => key === pressed);
  return meant ?? (isGivenAway ? undefined : pressed);
}

/** The key before this one, where it may begin a row of two. */
function sequence(first: Press | undefined, { timeStamp }: KeyboardEvent): string | undefined {
  return first === undefined || timeStamp - first.at > SEQUENCE_MS ? undefined : first.key;
}

/** The second of two is a letter of a page's name and stays what it is. */
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
