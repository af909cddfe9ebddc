"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "./api.ts";

/** Parts of the server's answers that a user's change makes stale. */
type Part = "comments" | "incidents" | "people" | "savedViews" | "sessions" | "tokens" | "webhooks";

/** Returns a function that refetches these parts and the audit after an audited change, because all of them show it. */
export function useReread(...parts: readonly Part[]): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => {
    for (const part of [...parts, "audit"] as const)
      void queryClient.invalidateQueries(api[part].pathFilter());
  };
}
