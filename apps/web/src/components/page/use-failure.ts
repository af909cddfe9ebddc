"use client";
import { useState } from "react";

/** A query without data: it has not answered yet, or it failed. */
export interface PendingQuery {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: unknown;
  /** When it failed last; also known while it is asked again. */
  readonly errorUpdatedAt: number;
  readonly refetch: () => unknown;
}

/** Why something could not be read, and the way to ask for it again. */
export interface Failure {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
  /** Whether it is being requested again. */
  readonly isAskedAgain?: boolean;
}

interface Kept {
  readonly error: unknown;
  readonly at: number;
}

/**
 * Why a query could not be read. It stays while the query is requested again, which itself forgets its error then: on a page whose
 * data changes all the time, only a placeholder would be visible. Undefined if it was answered or has not failed yet.
 */
export function useFailure({
  isPending,
  isError,
  error,
  errorUpdatedAt: at,
  refetch,
}: PendingQuery): Failure | undefined {
  // The time tells it apart from the error of another query that has taken this one's place.
  const [last, setLast] = useState<Kept | undefined>(undefined);
  if (isError && last?.at !== at) setLast({ error, at });
  const isAskedAgain = isPending && last?.at === at;
  if (!isError && !isAskedAgain) return undefined;
  return { error: isAskedAgain ? last.error : error, retry: () => void refetch(), isAskedAgain };
}
