/** Compares by code unit: the order of keys in upstream's storage and of members in its JSON. For `sort`. */
export function byCodeUnit(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
