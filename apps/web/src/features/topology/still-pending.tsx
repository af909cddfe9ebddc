"use client";
import { useState } from "react";
import { Pending, type PendingQuery } from "../../components/page/panel-states.tsx";

/**
 * Why it failed last, also while it is asked again because something has changed: where that happens all the time, nothing but its
 * outline would be seen. A user who asks again sees that it is under way.
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
