/** Rows by their index, both ends included. */
interface RowRange {
  readonly startIndex: number;
  readonly endIndex: number;
}

/** How many rows beyond the edge are drawn: none where no row in sight was in sight before. */
export function overscanAfter(
  before: RowRange | undefined,
  now: RowRange & { readonly overscan: number },
): number {
  if (before === undefined) return now.overscan;
  const isJump = now.startIndex > before.endIndex || now.endIndex < before.startIndex;
  return isJump ? 0 : now.overscan;
}
