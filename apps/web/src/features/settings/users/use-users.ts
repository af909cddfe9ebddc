"use client";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../../components/api.ts";
import { useReread } from "../../../components/use-reread.ts";

/** Reads all users; only requested for those who may see them. */
export function useUsers(mayAsk: boolean) {
  const api = useApi();
  return useQuery(api.people.list.queryOptions(undefined, { enabled: mayAsk }));
}

/** Returns a function that refetches after a change: users, sessions and the audit all show it. */
export function useAskAgain(): () => void {
  return useReread("people", "sessions", "tokens");
}

/** Returns a function to call after a change in a dialog, which closes it. */
export function useDone(onClose: () => void): () => void {
  const askAgain = useAskAgain();
  return () => {
    askAgain();
    onClose();
  };
}
