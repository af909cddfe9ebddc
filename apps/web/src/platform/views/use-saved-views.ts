"use client";
import type { SavedView } from "@cloudwright/store/views/saved-views";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { changePreferences } from "../../components/preferences.ts";
import { addresses } from "../../components/url/addresses.ts";

/** Reads the user's own views, and those that others share. */
export function useSavedViews({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const api = useApi();
  return useQuery(api.savedViews.list.queryOptions(undefined, { enabled }));
}

/** Returns a view's address; a view for all clusters opens in the current one. */
export function viewHref(view: SavedView, cluster: string): string {
  return addresses.list(view.cluster ?? cluster, view.page, view.search);
}

/** Shows the columns that were stored with a view, because the address does not contain them. */
export function showColumnsOf({ columns }: SavedView): void {
  if (columns === undefined) return;
  changePreferences(({ hiddenColumns }) => ({
    hiddenColumns: { ...hiddenColumns, [columns.table]: [...columns.hidden] },
  }));
}
