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
  /** Is asked for again, and has not been answered yet. */
  readonly isAskedAgain?: boolean;
}

interface Kept {
  readonly error: unknown;
  readonly at: number;
}

/**
 * Why a query could not be read, also while it is asked again, when it has itself forgotten why: where changes have it asked all the
 * time, nothing but its outline would be seen. Undefined of one that has been answered, or has not failed yet.
 */
export function useFailure({
  isPending,
  isError,
  error,
  errorUpdatedAt: at,
  refetch,
}: PendingQuery): Failure | undefined {
  // By its time it is known from that of another query which stands in the place of this one.
  const [last, setLast] = useState<Kept | undefined>(undefined);
  if (isError && last?.at !== at) setLast({ error, at });
  const isAskedAgain = isPending && last?.at === at;
  if (!isError && !isAskedAgain) return undefined;
  return { error: isAskedAgain ? last.error : error, retry: () => void refetch(), isAskedAgain };
}
