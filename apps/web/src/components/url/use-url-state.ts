"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";

export interface UrlCodec<View> {
  parse(params: URLSearchParams): { readonly view: View; readonly dropped: readonly string[] };
  /** The query string with its question mark, or "". */
  format(view: View): string;
}

/**
 * A page's view as its address. Choices push a step of history, typing replaces (the caller debounces it). Neither asks
 * the server for the page again.
 */
export function useUrlState<View>(codec: UrlCodec<View>) {
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const parsed = useMemo(() => codec.parse(new URLSearchParams(search)), [codec, search]);
  const address = useCallback(
    (view: View) => `${pathname}${codec.format(view)}`,
    [codec, pathname],
  );
  const push = useCallback(
    (view: View) => window.history.pushState(null, "", address(view)),
    [address],
  );
  const replace = useCallback(
    (view: View) => window.history.replaceState(null, "", address(view)),
    [address],
  );
  return { ...parsed, push, replace };
}
