"use client";
import { useEffect, useState } from "react";

const PATIENCE_MS = 200;

/**
 * Reports whether rows should be dimmed because they are those of an earlier filter or order. Most answers arrive sooner than that: dimming
 * the rows for a moment would flicker, and painting all of them twice takes longer than anything else that a click does.
 */
export function useDimmed(isStale: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isStale) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isStale]);
  return isStale && isLate;
}
