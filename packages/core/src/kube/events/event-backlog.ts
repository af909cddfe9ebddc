/** Items that wait to be sent, urgent ones first; an item that is already waiting is not added again. */
export interface EventBacklog<Item> {
  /** Returns false if the oldest of the least urgent items had to be dropped for it. */
  put(item: Item): boolean;
  /** Takes the next item to send, optionally only an urgent one. */
  take(urgentOnly: boolean): Item | undefined;
  readonly size: number;
  /** Returns the items in the order in which they would be sent. */
  items(): readonly Item[];
  /** How many items that are not urgent wait. */
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
