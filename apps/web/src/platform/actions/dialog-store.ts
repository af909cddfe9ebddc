"use client";
import { useSyncExternalStore } from "react";
import type { ActionChoice } from "./action-choice.ts";
import type { BulkChoice } from "./bulk-choice.ts";

/** One dialog for the whole page, so that it stays when the banner or row that opened it goes away. */
export interface OpenDialog {
  readonly choice: ActionChoice | BulkChoice;
  /** Gets the focus back. */
  readonly opener: HTMLElement | undefined;
}

const listeners = new Set<() => void>();
let current: OpenDialog | undefined;

export function useOpenDialog(): OpenDialog | undefined {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => undefined,
  );
}

export function openDialog(dialog: OpenDialog): void {
  show(dialog);
}

export function closeDialog(): void {
  if (current === undefined) return;
  const { opener } = current;
  show(undefined);
  // Not before the dialog has let the focus go.
  requestAnimationFrame(() => focusBack(opener));
}

/** To the page itself when the button is gone, so that the next key does not begin at the top of the document. */
function focusBack(opener: HTMLElement | undefined): void {
  if (opener?.isConnected === true) opener.focus();
  else document.getElementById("content")?.focus();
}

function show(dialog: OpenDialog | undefined): void {
  current = dialog;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
