"use client";
import { isFinal, isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

const POLL_MS = 2_000;

/** One action; asked for again by itself until it is over, should the live stream be lost. */
export function useIntent(cluster: string, id: string | undefined, pollMs = POLL_MS) {
  const api = useApi();
  return useQuery(api.intents.byId.queryOptions(...askFor({ cluster, id, pollMs })));
}

/** The options of a query for one intent; for those who ask for many. */
export function askFor(ask: {
  readonly cluster: string;
  readonly id: string | undefined;
  readonly pollMs: number;
}) {
  const { cluster, id = "", pollMs } = ask;
  return [
    { cluster, id },
    {
      enabled: id !== "",
      refetchInterval: ({
        state,
      }: {
        readonly state: { readonly data: ListedIntent | undefined };
      }) => (state.data === undefined || isSettled(state.data) ? (false as const) : pollMs),
    },
  ] as const;
}

/** Whether it is over, or what becomes of it cannot be read here anyway. */
export function isSettled(intent: ListedIntent): boolean {
  return !isReadable(intent) || isFinal(intent.state);
}
