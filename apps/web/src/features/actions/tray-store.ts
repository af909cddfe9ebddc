"use client";
import { useSyncExternalStore } from "react";
import { z } from "zod";

const MOST = 5;
const EMPTY: readonly string[] = [];
const listeners = new Set<() => void>();
const known = new Map<string, readonly string[]>();

/** The actions that this browser asked for in a cluster and has not put away; they survive a reload. */
export function useTray(cluster: string): readonly string[] {
  return useSyncExternalStore(
    subscribe,
    () => read(cluster),
    () => EMPTY,
  );
}

export function putInTray(cluster: string, id: string): void {
  write(cluster, [id, ...read(cluster)].slice(0, MOST));
}

export function takeFromTray(cluster: string, id: string): void {
  write(
    cluster,
    read(cluster).filter((other) => other !== id),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(cluster: string): readonly string[] {
  const now = known.get(cluster) ?? stored(cluster);
  known.set(cluster, now);
  return now;
}

function write(cluster: string, ids: readonly string[]): void {
  known.set(cluster, ids);
  try {
    localStorage.setItem(keyOf(cluster), JSON.stringify(ids));
  } catch {
    // Storage may be forbidden; the tray then lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function stored(cluster: string): readonly string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(localStorage.getItem(keyOf(cluster)) ?? "[]"));
  } catch {
    return EMPTY;
  }
}

function keyOf(cluster: string): string {
  return `cloudwright.tray.${cluster}`;
}
