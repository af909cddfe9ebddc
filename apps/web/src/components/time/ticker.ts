"use client";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** The time in milliseconds, renewed once a second by the one timer that all relative times share. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow, readNow);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function readNow(): number {
  // A page that just opened has no timer yet and must not show the time at which the script was loaded.
  if (timer === undefined) now = Math.floor(Date.now() / 1_000) * 1_000;
  return now;
}
