"use client";
import { useSyncExternalStore } from "react";
import type { ActionChoice } from "./action-choice.ts";
import type { BulkChoice } from "./bulk-choice.ts";

/** One dialog for the whole page, so that it stays open when the banner or row that opened it disappears. */
export interface OpenDialog {
  readonly choice: ActionChoice | BulkChoice;
  /** Receives the focus when the dialog closes. */
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
  // The dialog has to release the focus first.
  requestAnimationFrame(() => focusBack(opener));
}

/** Focuses the page itself if the button is gone, so that the next key does not start at the top of the document. */
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
