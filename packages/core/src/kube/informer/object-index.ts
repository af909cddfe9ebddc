/** Named functions that return the values under which an object is found. */
export type IndexFunctions<T> = Readonly<Record<string, (object: T) => readonly string[]>>;

export interface ObjectIndex<T> {
  add(key: string, object: T): void;
  remove(key: string, object: T): void;
  /** Throws if no index has that name: a mistake in the program, not in the data. */
  keys(index: string, value: string): readonly string[];
}

export function createObjectIndex<T>(functions: IndexFunctions<T>): ObjectIndex<T> {
  const indexes = new Map<string, Map<string, Set<string>>>(
    Object.keys(functions).map((name) => [name, new Map()]),
  );

  function eachSlot(object: T, visit: (slots: Map<string, Set<string>>, value: string) => void) {
    for (const [name, valuesOf] of Object.entries(functions)) {
      const slots = indexes.get(name);
      if (slots === undefined) continue;
      for (const value of valuesOf(object)) visit(slots, value);
    }
  }

  return {
    add: (key, object) =>
      eachSlot(object, (slots, value) => {
        const keys = slots.get(value);
        if (keys === undefined) slots.set(value, new Set([key]));
        else keys.add(key);
      }),
    remove: (key, object) =>
      eachSlot(object, (slots, value) => {
        const keys = slots.get(value);
        keys?.delete(key);
        if (keys?.size === 0) slots.delete(value);
      }),
    keys: (name, value) => {
      const slots = indexes.get(name);
      if (slots === undefined) {
        throw new Error(`The informer has no index "${name}"; declare it where it is started.`);
      }
      return [...(slots.get(value) ?? [])];
    },
  };
}
