"use client";
import { type ReactNode, useEffect, useState } from "react";

/** A value that is marked while it has just changed. */
export function JustChanged({
  of,
  value,
  children,
}: {
  /** Identifies the thing among others whose value this may show next. */
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

export type ShownValue = string | number | undefined;

export interface SeenValue {
  /** What it is a value of: another thing's value is no change. */
  readonly of: string;
  readonly value: ShownValue;
  /** Identifies a change, each of which has its own time. */
  readonly changes: number;
  readonly isMarked: boolean;
}

/** What has been seen once this is shown; what was not known before has not changed. */
export function seenNext(seen: SeenValue, now: Pick<SeenValue, "of" | "value">): SeenValue {
  if (seen.of === now.of && seen.value === now.value) return seen;
  const isNews = seen.of === now.of && seen.value !== undefined && now.value !== undefined;
  return isNews
    ? { ...now, changes: seen.changes + 1, isMarked: true }
    : { ...now, changes: seen.changes, isMarked: false };
}

/** So long a value keeps the mark that it has just changed (UX brief, section 13). */
export const MARK_MS = 3_000;
