"use client";
import { useParams, usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";

export interface UrlCodec<View> {
  parse(params: URLSearchParams): { readonly view: View; readonly dropped: readonly string[] };
  /** The query string with its question mark, or "". */
  format(view: View): string;
}

/** Derives the new view from the one that the address holds at that moment. */
export type ChangeView<View> = (change: (now: View) => View) => void;

/**
 * Keeps a page's view in its address. Choices push a history step, typing replaces it (the caller debounces). Neither requests the page
 * from the server again. A change starts from the address and not from the last rendered view: rendering lags behind the address, and a
 * second choice must not undo the first. A change without effect is not written.
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
    (change) => write("pushState", () => changed(change)),
    [changed],
  );
  const replace: ChangeView<View> = useCallback(
    (change) => write("replaceState", () => changed(change)),
    [changed],
  );
  return { ...parsed, push, replace };
}

/**
 * Next follows the history by functions of its own, which an effect puts there: a press just before that would change the address and not the
 * page, so it waits for them.
 */
function write(step: "pushState" | "replaceState", changed: () => string): void {
  if (!Object.hasOwn(window.history, step)) {
    setTimeout(write, 0, step, changed);
    return;
  }
  const address = changed();
  if (address !== currentAddress()) window.history[step](null, "", address);
}

function currentAddress(): string {
  const { pathname, search } = window.location;
  return `${pathname}${search}`;
}

/** Returns the id of the cluster in the address. Only for parts of a cluster's pages; other pages have none. */
export function useClusterId(): string {
  return useParams<{ cluster: string }>().cluster;
}
