import { keepPreviousData } from "@tanstack/react-query";

/** So many rows are asked for at once. */
export const PAGE_SIZE = 200;

/** How every list is loaded page after page; what was shown stays until the answer to another filter comes. */
export const PAGED = {
  getNextPageParam: ({ nextCursor }: { readonly nextCursor?: string | undefined }) => nextCursor,
  placeholderData: keepPreviousData,
} as const;
