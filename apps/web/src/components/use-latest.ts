"use client";
import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * What was rendered last, for listeners that stay. It is there with the page itself and not a moment after it, so that a key or a
 * click acts upon what the user sees.
 */
export function useLatest<Value>(value: Value): Readonly<RefObject<Value>> {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
}
