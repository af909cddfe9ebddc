"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

/** Everybody with an account; asked for only by those who may know. */
export function useUsers(mayAsk: boolean) {
  const api = useApi();
  return useQuery(api.people.list.queryOptions(undefined, { enabled: mayAsk }));
}

/** After a change: users, sessions and the audit all show it. */
export function useAskAgain(): () => void {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => {
    for (const filter of [
      api.people.pathFilter(),
      api.sessions.pathFilter(),
      api.tokens.pathFilter(),
      api.audit.pathFilter(),
    ]) {
      void queryClient.invalidateQueries(filter);
    }
  };
}

/** After a change by a dialog, which closes. */
export function useDone(onClose: () => void): () => void {
  const askAgain = useAskAgain();
  return () => {
    askAgain();
    onClose();
  };
}
