"use client";
import { useSyncExternalStore } from "react";
import { z } from "zod/mini";

/** The ids of actions requested together: a single one, or one per target of a bulk action. */
export type TrayEntry = readonly string[];

const MOST = 5;
const EMPTY: readonly TrayEntry[] = [];
/** Older pages stored single ids. */
const storedSchema = z.array(
  z.union([
    z.pipe(
      z.string(),
      z.transform((id) => [id]),
    ),
    z.array(z.string()).check(z.minLength(1)),
  ]),
);
const listeners = new Set<() => void>();
const known = new Map<string, readonly TrayEntry[]>();

/** Returns a cluster's actions that were requested in this browser and not dismissed; they survive a reload. */
export function useTray(cluster: string): readonly TrayEntry[] {
  return useSyncExternalStore(
    subscribe,
    () => read(cluster),
    () => EMPTY,
  );
}

export function putInTray(cluster: string, entry: TrayEntry): void {
  const others = read(cluster).filter((other) => keyOf(other) !== keyOf(entry));
  if (entry.length > 0) write(cluster, [entry, ...others].slice(0, MOST));
}

export function takeFromTray(cluster: string, entry: TrayEntry): void {
  write(
    cluster,
    read(cluster).filter((other) => keyOf(other) !== keyOf(entry)),
  );
}

export function keyOf(entry: TrayEntry): string {
  return entry.join();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(cluster: string): readonly TrayEntry[] {
  const now = known.get(cluster) ?? stored(cluster);
  known.set(cluster, now);
  return now;
}

function write(cluster: string, entries: readonly TrayEntry[]): void {
  known.set(cluster, entries);
  try {
    localStorage.setItem(storageKey(cluster), JSON.stringify(entries));
  } catch {
    // Storage may be forbidden; the tray then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function stored(cluster: string): readonly TrayEntry[] {
  try {
    return storedSchema.parse(JSON.parse(localStorage.getItem(storageKey(cluster)) ?? "[]"));
  } catch {
    return EMPTY;
  }
}

function storageKey(cluster: string): string {
  return `cloudwright.tray.${cluster}`;
}
