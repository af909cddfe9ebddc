"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";

/** After a change: webhooks, their deliveries and the audit all show it. */
export function useReread(): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries(api.webhooks.pathFilter());
    void queryClient.invalidateQueries(api.audit.pathFilter());
  };
}
