"use client";
import { keepPreviousData } from "@tanstack/react-query";
import { useCallback } from "react";

/** So many rows are asked for at once. */
export const PAGE_SIZE = 200;

/** How every list is loaded page after page; what was shown stays until the answer to another filter comes. */
export const PAGED = {
  getNextPageParam: ({ nextCursor }: { readonly nextCursor?: string | undefined }) => nextCursor,
  placeholderData: keepPreviousData,
} as const;

export interface MorePages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Loads the next page of a list when its end comes near, one at a time. */
export function useNextPage({ hasNextPage, isFetchingNextPage, fetchNextPage }: MorePages) {
  return useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
}
