"use client";
import { useState } from "react";
import { Pending, type PendingQuery } from "../../components/page/panel-states.tsx";

/**
 * Keeps showing the last failure while the query is refetched because something has changed: with constant changes, only its outline would
 * be visible. When the user retries, it shows that it is loading.
 */
export function StillPending({ query }: { readonly query: PendingQuery }) {
  const { isError, error, refetch } = query;
  const [last, setLast] = useState<unknown>(null);
  const [dismissed, setDismissed] = useState<unknown>(null);
  if (isError && error !== last) setLast(error);
  const retry = () => {
    setDismissed(last);
    void refetch();
  };
  const isKept = isError || last !== dismissed;
  const shown = isKept ? { isError: true, error: isError ? error : last, refetch: retry } : query;
  return <Pending isCard query={shown} />;
}
