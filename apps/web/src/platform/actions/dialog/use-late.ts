"use client";
import { useEffect, useState } from "react";

/** A dialog says within 5 s why there is no answer (UX brief, section 10). */
const LATE_MS = 5_000;

/** Whether what began with this key has gone on for 5 s. */
export function useLate(key: string): boolean {
  const [late, setLate] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setLate(key), LATE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return late === key;
}
