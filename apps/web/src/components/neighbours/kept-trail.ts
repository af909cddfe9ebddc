"use client";
import { createContext, useContext, useSyncExternalStore } from "react";
import { z } from "zod/mini";

/** The pages of a list's rows, in their order. */
export type Trail = readonly string[];

/** The user the list belongs to: another user who signs in here does not follow it. */
const TrailOwner = createContext("");
export const TrailOwnerProvider = TrailOwner.Provider;

export function useTrailOwner(): string {
  return useContext(TrailOwner);
}

/** Returns the list from which the user last opened a row in this tab. It is empty on the server, which renders the page first. */
export function useKeptTrail(): Trail {
  const owner = useTrailOwner();
  return useSyncExternalStore(
    subscribe,
    () => read(owner),
    () => NONE,
  );
}

/** Remembers the pages nearest to the opened one, within its cluster only. The memory survives a reload of the page. */
export function keepTrail({
  owner,
  pages,
  opened,
}: {
  readonly owner: string;
  readonly pages: Trail;
  readonly opened: number;
}): void {
  const start = Math.max(0, opened - MOST / 2);
  const near = pages.slice(start, start + MOST);
  const cluster = clusterOf(pages[opened] ?? "");
  write(JSON.stringify({ owner, pages: near.filter((page) => clusterOf(page) === cluster) }));
}

/** Removes a user's lists when they sign out. */
export function forgetTrail(): void {
  write(undefined);
}

/** Nobody steps further than this with a key. */
const MOST = 400;
const KEY = "cloudwright.trail";
const NONE: Trail = [];

/** Another page on this origin may have written this, so it may lead only to pages of one cluster. */
const keptSchema = z.object({
  owner: z.string(),
  pages: z.array(z.string().check(z.maxLength(2_000), z.regex(/^\/c\/[^/\\]+\/[^\\]*$/))).check(
    z.maxLength(MOST),
    z.refine((pages) => new Set(pages.map(clusterOf)).size <= 1),
  ),
});
type Kept = z.infer<typeof keptSchema>;

/** `c-1` for `/c/c-1/nodes/w-9`. */
function clusterOf(page: string): string | undefined {
  return page.split("/")[2];
}

const listeners = new Set<() => void>();
/** Used where storage is forbidden; it lasts as long as the page. */
let unstored: string | undefined;
/** The last value read: the same text yields the same object. */
let last: { readonly text: string; readonly kept: Kept | undefined } | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(owner: string): Trail {
  const text = stored();
  if (text === undefined) return NONE;
  if (last?.text !== text) last = { text, kept: parsed(text) };
  return last.kept?.owner === owner ? last.kept.pages : NONE;
}

function parsed(text: string): Kept | undefined {
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? unstored;
  } catch {
    return unstored;
  }
}

function write(text: string | undefined): void {
  unstored = undefined;
  try {
    if (text === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    unstored = text;
  }
  for (const listener of listeners) listener();
}
