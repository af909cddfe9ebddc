"use client";
import { useParams, usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";

export interface UrlCodec<View> {
  parse(params: URLSearchParams): { readonly view: View; readonly dropped: readonly string[] };
  /** The query string with its question mark, or "". */
  format(view: View): string;
}

/** Says the new view from the one that the address holds at that moment. */
export type ChangeView<View> = (change: (now: View) => View) => void;

/**
 * A page's view as its address. Choices push a step of history, typing replaces (the caller debounces it). Neither asks
 * the server for the page again. A change begins from the address and not from what was last rendered: rendering follows the
 * address with a delay, and a second choice in that time must not undo the first. What changes nothing is not written.
 */
export function useUrlState<View>(codec: UrlCodec<View>) {
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const parsed = useMemo(() => codec.parse(new URLSearchParams(search)), [codec, search]);
  const changed = useCallback(
    (change: (now: View) => View) => {
      const now = codec.parse(new URLSearchParams(window.location.search)).view;
      return `${pathname}${codec.format(change(now))}`;
    },
    [codec, pathname],
  );
  const push: ChangeView<View> = useCallback(
    (change) => {
      const address = changed(change);
      if (address !== currentAddress()) window.history.pushState(null, "", address);
    },
    [changed],
  );
  const replace: ChangeView<View> = useCallback(
    (change) => {
      const address = changed(change);
      if (address !== currentAddress()) window.history.replaceState(null, "", address);
    },
    [changed],
  );
  return { ...parsed, push, replace };
}

function currentAddress(): string {
  const { pathname, search } = window.location;
  return `${pathname}${search}`;
}

/** The id of the cluster that the address is of. Only for what stands on the pages of one cluster: elsewhere there is none. */
export function useClusterId(): string {
  return useParams<{ cluster: string }>().cluster;
}
