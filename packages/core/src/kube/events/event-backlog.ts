/** Items that wait to be sent, the urgent ones first; an item that is there already is not added again. */
export interface EventBacklog<Item> {
  /** False when the oldest of the least urgent ones had to be dropped for it. */
  put(item: Item): boolean;
  /** Takes the next item that may go out, of the urgent ones alone if so wanted. */
  take(urgentOnly: boolean): Item | undefined;
  readonly size: number;
  /** In the order in which they would go out. */
  items(): readonly Item[];
  /** How many wait that are not urgent. */
  readonly leisurely: number;
}

export function createEventBacklog<Item>(
  capacity: number,
  isUrgent: (item: Item) => boolean,
): EventBacklog<Item> {
  const urgent = new Set<Item>();
  const others = new Set<Item>();

  return {
    put: (item) => {
      (isUrgent(item) ? urgent : others).add(item);
      if (urgent.size + others.size <= capacity) return true;
      return takeOldest(others) === undefined && takeOldest(urgent) === undefined;
    },
    take: (urgentOnly) => takeOldest(urgent) ?? (urgentOnly ? undefined : takeOldest(others)),
    items: () => [...urgent, ...others],
    get size() {
      return urgent.size + others.size;
    },
    get leisurely() {
      return others.size;
    },
  };
}

function takeOldest<Item>(items: Set<Item>): Item | undefined {
  const [oldest] = items;
  if (oldest !== undefined) items.delete(oldest);
  return oldest;
}
