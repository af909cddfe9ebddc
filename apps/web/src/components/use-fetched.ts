"use client";
import { useEffect, useState } from "react";

/**
 * A part of the page that is fetched when it is wanted, and undefined until it has come. Where it cannot be fetched the page stays as
 * it is and its banner says that the server is away; another `wanted` tries again. `load` is the same function each time.
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

/** Fetches a part ahead, as a hand that goes there says that it will be wanted; whether it came is seen when it is. */
export function expectPart(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}
