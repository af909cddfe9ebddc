export type ShownValue = string | number | undefined;

export interface SeenValue {
  /** What it is a value of: another thing's value is no change. */
  readonly of: string;
  readonly value: ShownValue;
  /** Tells one change from the next, each of which has its own time. */
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
