"use client";
import { type Role, roleSchema } from "@cloudwright/core/model/roles";
import { useSyncExternalStore } from "react";

const KEY = "cloudwright.view-as";
const listeners = new Set<() => void>();

/** Returns the role whose view is being previewed in this tab; undefined for the user's own. */
export function useViewAs(): Role | undefined {
  return useSyncExternalStore(subscribe, read, () => undefined);
}

export function viewAs(role: Role | undefined): void {
  try {
    if (role === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, role);
  } catch {
    // Without storage, no role can be previewed.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): Role | undefined {
  try {
    return roleSchema.safeParse(sessionStorage.getItem(KEY)).data;
  } catch {
    return undefined;
  }
}
