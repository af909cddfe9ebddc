"use client";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { problemOf } from "../../components/problem.ts";

/** Since when a part of the page is kept although the server has refused to answer for it again; undefined while none is. */
export function useKeptSince(): number | undefined {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const read = () => {
    const kept = cache.getAll().filter(isKept);
    return kept.length === 0
      ? undefined
      : Math.min(...kept.map(({ state }) => state.dataUpdatedAt));
  };
  return useSyncExternalStore(subscribe, read, () => undefined);
}

/** Of these a link fails that is judged by itself, or the person is sent to sign in. */
const ELSEWHERE = new Set(["NO_ANSWER", "SERVICE_UNAVAILABLE", "UNAUTHORIZED"]);

function isKept(query: Query): boolean {
  const { status, data, error } = query.state;
  return (
    status === "error" &&
    data !== undefined &&
    query.isActive() &&
    !ELSEWHERE.has(problemOf(error).code)
  );
}
