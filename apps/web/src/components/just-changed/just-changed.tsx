"use client";
import { type ReactNode, useEffect, useState } from "react";
import { MARK_MS, type ShownValue, seenNext } from "./seen-value.ts";

/** A value that is marked while it has just changed. */
export function JustChanged({
  of,
  value,
  children,
}: {
  /** Tells the thing from others whose value this may show next. */
  readonly of: string;
  /** What is compared; undefined while it is not known. */
  readonly value: ShownValue;
  /** What is shown of it; absent: the value as it is. */
  readonly children?: ReactNode;
}) {
  const isMarked = useJustChanged({ of, value });
  return <span data-just-changed={isMarked}>{children ?? value}</span>;
}

function useJustChanged(now: { readonly of: string; readonly value: ShownValue }): boolean {
  const [seen, setSeen] = useState({ ...now, changes: 0, isMarked: false });
  const next = seenNext(seen, now);
  if (next !== seen) setSeen(next);
  const { changes, isMarked } = next;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change has the whole time, also one upon another.
  useEffect(() => {
    if (!isMarked) return;
    const timer = setTimeout(() => setSeen((last) => ({ ...last, isMarked: false })), MARK_MS);
    return () => clearTimeout(timer);
  }, [changes, isMarked]);
  return isMarked;
}
