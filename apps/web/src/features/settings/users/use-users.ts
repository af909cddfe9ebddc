"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { useReread } from "../../../components/use-reread.ts";

/** Everybody with an account; asked for only by those who may know. */
export function useUsers(mayAsk: boolean) {
  const api = useApi();
  return useQuery(api.people.list.queryOptions(undefined, { enabled: mayAsk }));
}

/** After a change: users, sessions and the audit all show it. */
export function useAskAgain(): () => void {
  return useReread("people", "sessions", "tokens");
}

/** After a change by a dialog, which closes. */
export function useDone(onClose: () => void): () => void {
  const askAgain = useAskAgain();
  return () => {
    askAgain();
    onClose();
  };
}
