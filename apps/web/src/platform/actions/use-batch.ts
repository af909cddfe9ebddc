"use client";
import {
  BATCH_MOST,
  type Intent,
  isReadable,
  type ListedIntent,
} from "@cloudwright/core/model/actions/intent";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useApi } from "../../components/api.ts";
import { isSettled } from "./use-intent.ts";

interface BatchAsk {
  readonly cluster: string;
  readonly batch: string;
  readonly pollMs: number;
}

/** Reads a batch in one query, and polls until all of it is over. */
export function useBatch(ask: BatchAsk) {
  const api = useApi();
  return useQuery(api.intents.list.queryOptions(...askForBatch(ask)));
}

/** Reads the intents of several batches, by their ids. */
export function useBatches({
  cluster,
  batches,
  pollMs,
}: Pick<BatchAsk, "cluster" | "pollMs"> & {
  readonly batches: readonly string[];
}): ReadonlyMap<string, Intent> {
  const api = useApi();
  const queries = useQueries({
    queries: batches.map((batch) =>
      api.intents.list.queryOptions(...askForBatch({ cluster, batch, pollMs })),
    ),
  });
  const intents = queries.flatMap(({ data }) => data?.rows.filter(isReadable) ?? []);
  return new Map(intents.map((intent) => [intent.id, intent]));
}

function askForBatch({ cluster, batch, pollMs }: BatchAsk) {
  return [
    {
      cluster,
      filter: { batch },
      sort: { by: "requested", descending: false },
      limit: BATCH_MOST,
    },
    {
      enabled: batch !== "",
      refetchInterval: ({
        state: { data },
      }: {
        readonly state: { readonly data: { readonly rows: readonly ListedIntent[] } | undefined };
      }) => (data?.rows.every(isSettled) === true ? (false as const) : pollMs),
    },
  ] as const;
}
