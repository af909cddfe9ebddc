/** The order in which a person reads a list. */
export interface HeldOrder {
  /** Keys of the rows. */
  readonly keys: readonly string[];
  /** How many pages of it were loaded. */
  readonly pages: number;
}

export interface SteadyRows<Row> {
  readonly rows: readonly Row[];
  /** How many have come among them since, which are not shown. */
  readonly fresh: number;
}

/**
 * The rows in the order in which they are read, each as it is now. What came among them since is counted and left out, what
 * came after them by loading on follows, and what is gone goes: nothing that one reads moves by what is new.
 */
export function steadyRows<Row>(
  { keys, pages: heldPages }: HeldOrder,
  pages: readonly (readonly Row[])[],
  keyOf: (row: Row) => string,
): SteadyRows<Row> {
  const held = new Set(keys);
  const present = new Map(pages.flat().map((row) => [keyOf(row), row]));
  const read = keys.flatMap((key) => present.get(key) ?? []);
  // Nothing is read any more, so nothing can move.
  if (read.length === 0) return { rows: pages.flat(), fresh: 0 };
  const isNew = (row: Row) => !held.has(keyOf(row));
  const followed = pages.slice(heldPages).flat().filter(isNew);
  const fresh = pages.slice(0, heldPages).flat().filter(isNew).length;
  return { rows: [...read, ...followed], fresh };
}
