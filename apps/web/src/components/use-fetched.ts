"use client";
import { useEffect, useState } from "react";

/**
 * Fetches a part of the page when it is wanted; undefined until it has arrived. If it cannot be fetched, the page stays as it is and its
 * banner says that the server is away; a new `wanted` value tries again. `load` must be the same function each time.
 */
export function useFetched<Part>(load: () => Promise<Part>, wanted: unknown): Part | undefined {
  const [fetched, setFetched] = useState<{ readonly part: Part } | undefined>(undefined);
  const isThere = fetched !== undefined;
  useEffect(() => {
    if (wanted === undefined || isThere) return;
    load().then(
      (part) => setFetched({ part }),
      () => undefined,
    );
  }, [load, wanted, isThere]);
  return fetched?.part;
}

/** Prefetches a part when the pointer suggests that it will be wanted; a failure shows only when it is. */
export function expectPart(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}
