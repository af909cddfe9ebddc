import { useMemo } from "react";
import type { PendingQuery } from "../../components/page/use-failure.ts";
import type { PagedQuery } from "../../platform/lists/use-loaded-rows.ts";

/** Treats a list that arrives whole as one page; `rows` stay the same array until others arrive. */
export function useWholeList<Row>(
  { isPending, isError, error, errorUpdatedAt, refetch }: PendingQuery,
  rows: readonly Row[] | undefined,
): PagedQuery<Row> {
  const data = useMemo(() => {
    if (rows === undefined) return undefined;
    const total = { kind: "exact", count: rows.length } as const;
    return { pages: [{ rows, nextCursor: undefined, total }] };
  }, [rows]);
  return { ...{ data, isPending, isError, error, errorUpdatedAt, refetch }, ...WHOLE };
}

const WHOLE = {
  isPlaceholderData: false,
  hasNextPage: false,
  isFetchingNextPage: false,
  fetchNextPage: () => undefined,
} as const;
