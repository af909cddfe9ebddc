"use client";
import { type RefObject, useEffect } from "react";
import { useLatest } from "../../shortcuts.ts";

const KEEPS_READING = "[data-keeps-reading]";

/** Called when a user starts and stops reading a list. */
export interface Reading {
  begin(): void;
  end(): void;
}

/** A list is being read while it is scrolled down or one of its rows has the focus; no row may then be replaced under the user. */
export function useReading(
  scroller: RefObject<HTMLElement | null>,
  reading: Reading | undefined,
): void {
  const latest = useLatest(reading);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const appearance = (focused: EventTarget | null) => {
      const isRead = element.scrollTop > 0 || isInRow(element, focused);
      if (isRead) latest.current?.begin();
      else latest.current?.end();
    };
    const onScroll = () => appearance(document.activeElement);
    const onFocusIn = ({ target }: FocusEvent) => appearance(target);
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      // A user who moves to the button for new rows keeps reading until they are shown.
      if (relatedTarget instanceof Element && relatedTarget.closest(KEEPS_READING) !== null) return;
      // A window that loses focus keeps its focused element and reports no related target.
      appearance(relatedTarget ?? document.activeElement);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("focusin", onFocusIn);
    element.addEventListener("focusout", onFocusOut);
    return () => {
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("focusin", onFocusIn);
      element.removeEventListener("focusout", onFocusOut);
    };
  }, [scroller, latest]);
}

function isInRow(scroller: HTMLElement, focused: EventTarget | null): boolean {
  if (!(focused instanceof Element) || !scroller.contains(focused)) return false;
  return focused.closest("[data-index]") !== null;
}
