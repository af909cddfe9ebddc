"use client";
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

/** Returns the time in milliseconds, updated once a second by one timer that all relative times share. */
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
  // On a page that just opened the timer is not running yet, and the time at which the script was loaded would be wrong.
  if (timer === undefined) now = Math.floor(Date.now() / 1_000) * 1_000;
  return now;
}
