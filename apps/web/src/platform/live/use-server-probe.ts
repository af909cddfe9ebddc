"use client";
import type { Exchange } from "@cloudwright/core/model/freshness/freshness";
import { type Query, type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { z } from "zod/mini";

export interface ServerProbe {
  readonly server: Exchange;
  readonly database: Exchange;
}

interface Answer {
  readonly database: Exchange;
}

const EVERY_MS = 5_000;
/** The interval while it does not answer. */
const AGAIN_MS = 2_000;
/** Longer than the server itself waits for its database. */
const PATIENCE_MS = 6_000;
const KEY = ["server-probe"];
const NEWEST = { pending: "pending", error: "failed", success: "answered" } as const;
const NEVER: Exchange = { newest: "pending", answeredAt: undefined };

/**
 * Reports whether the dashboard's server answers, and what it says about its database. The probe is separate from the page's data: it needs
 * neither session nor data, so that a failure of those is not taken for a broken link.
 */
export function useServerProbe(): ServerProbe {
  const client = useQueryClient();
  const { data, status, dataUpdatedAt } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => ask(client, signal),
    refetchInterval: ({ state }) => (state.status === "error" ? AGAIN_MS : EVERY_MS),
    staleTime: 0,
    retry: false,
    // A browser that believes itself offline should find out, and one that is not should not believe it.
    networkMode: "always",
  });
  const isWell = status === "success" && data.database.newest === "answered";
  useRefetchOnRecovery(client, status === "pending" ? undefined : isWell);
  return {
    server: {
      newest: NEWEST[status],
      answeredAt: dataUpdatedAt === 0 ? undefined : dataUpdatedAt,
    },
    database: data?.database ?? NEVER,
  };
}

/** Probes at once, for example when the stream of changes has broken. */
export function probeNow(client: QueryClient): void {
  void client.refetchQueries({ queryKey: KEY }, { cancelRefetch: false });
}

const answerSchema = z.object({ database: z.enum(["ok", "unreachable"]) });

async function ask(client: QueryClient, signal: AbortSignal): Promise<Answer> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const answer = await fetch("/healthz", { signal: within, cache: "no-store" });
  // A proxy in front of a dead server answers as well, but not in this format.
  const { database } = answerSchema.parse(await answer.json());
  const last = client.getQueryData<Answer>(KEY)?.database ?? NEVER;
  return {
    database:
      database === "ok"
        ? { newest: "answered", answeredAt: Date.now() }
        : { newest: "failed", answeredAt: last.answeredAt },
  };
}

/** Refetches everything after a time without answers, because no change during that time has reached the page. */
function useRefetchOnRecovery(client: QueryClient, isWell: boolean | undefined): void {
  const wasLost = useRef(false);
  useEffect(() => {
    if (isWell === false) wasLost.current = true;
    if (isWell !== true || !wasLost.current) return;
    wasLost.current = false;
    void client.invalidateQueries({ predicate: isReading });
  }, [client, isWell]);
}

/** The keys of the server's procedures are arrays; other entries, such as an answered preview, are not refetched. */
function isReading({ queryKey: [path] }: Query): boolean {
  return Array.isArray(path);
}
