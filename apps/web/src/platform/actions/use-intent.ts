"use client";
import { isFinal, isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";

const POLL_MS = 2_000;

/** Reads one action, and polls until it is over in case the live stream is lost. */
export function useIntent(cluster: string, id: string | undefined, pollMs = POLL_MS) {
  const api = useApi();
  return useQuery(api.intents.byId.queryOptions(...askFor({ cluster, id, pollMs })));
}

/** Returns the query options for one intent, for callers that read many. */
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

/** Reports whether it is over, or cannot be read by this release anyway. */
export function isSettled(intent: ListedIntent): boolean {
  return !isReadable(intent) || isFinal(intent.state);
}
