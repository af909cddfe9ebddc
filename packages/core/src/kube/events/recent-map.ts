/** A map that forgets what was not touched for longest once it is full. */
export interface RecentMap<Value> {
  /** The value of the key, made now if it has none; either way the key counts as touched. */
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
