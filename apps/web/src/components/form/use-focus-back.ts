"use client";
import { useEffect } from "react";

/**
 * Returns the focus when a dialog has closed: to `opener`, otherwise to the previously focused element, or to the page itself if that is
 * gone, so that the next key does not start at the top of the document. Mantine's own mechanism fails here: a dialog that is fetched late
 * is open from its first render, so Mantine never sees what had the focus before.
 */
export function useFocusBack(isOpen: boolean, opener?: HTMLElement): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const { activeElement } = document;
    const back = opener ?? (activeElement instanceof HTMLElement ? activeElement : undefined);
    // The dialog has to release the focus first.
    return () => void requestAnimationFrame(() => focusBack(back));
  }, [isOpen, opener]);
}

function focusBack(back: HTMLElement | undefined): void {
  if (back?.isConnected === true) back.focus();
  else document.getElementById("content")?.focus();
}
