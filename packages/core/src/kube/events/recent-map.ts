/** A map that forgets the least recently used key once it is full. */
export interface RecentMap<Value> {
  /** Returns the key's value, creating it if there is none; either way the key counts as used. */
  touch(key: string, make: () => Value): Value;
  readonly size: number;
}

export function createRecentMap<Value>(capacity: number): RecentMap<Value> {
  const values = new Map<string, { readonly value: Value }>();
  return {
    touch: (key, make) => {
      const entry = values.get(key) ?? { value: make() };
      values.delete(key);
      values.set(key, entry);
      if (values.size > capacity) {
        for (const oldest of values.keys()) {
          values.delete(oldest);
          break;
        }
      }
      return entry.value;
    },
    get size() {
      return values.size;
    },
  };
}
