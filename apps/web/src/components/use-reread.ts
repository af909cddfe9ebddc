"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "./api.ts";

/** Parts of the server's answers that a change of theirs makes old. */
type Part = "comments" | "incidents" | "people" | "savedViews" | "sessions" | "tokens" | "webhooks";

/** After a change that is audited: these parts and the audit are asked for again, as all of them show it. */
export function useReread(...parts: readonly Part[]): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => {
    for (const part of [...parts, "audit"] as const)
      void queryClient.invalidateQueries(api[part].pathFilter());
  };
}
