"use client";
import { useEffect } from "react";

/**
 * Gives the focus back once a dialog has closed: to `opener`, else to what had it before; to the page itself when that is gone, so
 * that the next key does not begin at the top of the document. Mantine's own way knows nothing of what had the focus before a
 * dialog that is fetched late and so is open from the first.
 */
export function useFocusBack(isOpen: boolean, opener?: HTMLElement): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const { activeElement } = document;
    const back = opener ?? (activeElement instanceof HTMLElement ? activeElement : undefined);
    // Not before the dialog has let the focus go.
    return () => void requestAnimationFrame(() => focusBack(back));
  }, [isOpen, opener]);
}

function focusBack(back: HTMLElement | undefined): void {
  if (back?.isConnected === true) back.focus();
  else document.getElementById("content")?.focus();
}
