"use client";
import { type ReactNode, useEffect, useState } from "react";

/** A value that is highlighted right after it has changed. */
export function JustChanged({
  of,
  value,
  children,
}: {
  /** Identifies the thing that the value belongs to, as this place may show another one's next. */
  readonly of: string;
  /** The value to compare; undefined while it is unknown. */
  readonly value: ShownValue;
  /** How the value is shown; by default, as it is. */
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
  /** The thing that the value belongs to: switching to another thing is not a change. */
  readonly of: string;
  readonly value: ShownValue;
  /** Identifies a change; each change has its own time. */
  readonly changes: number;
  readonly isMarked: boolean;
}

/** Returns what counts as seen once this value is shown. A value that was unknown before has not changed. */
export function seenNext(seen: SeenValue, now: Pick<SeenValue, "of" | "value">): SeenValue {
  if (seen.of === now.of && seen.value === now.value) return seen;
  const isNews = seen.of === now.of && seen.value !== undefined && now.value !== undefined;
  return isNews
    ? { ...now, changes: seen.changes + 1, isMarked: true }
    : { ...now, changes: seen.changes, isMarked: false };
}

/** How long a value stays highlighted after a change (UX brief, section 13). */
export const MARK_MS = 3_000;
