/**
 * A binary heap that can also remove from its middle: every operation except the scan is O(log n). An item is in it
 * at most once. An item must be removed before the values that determine its order change, and pushed again
 * afterwards.
 */
export class IndexedHeap<Item> {
  readonly #items: Item[] = [];
  readonly #places = new Map<Item, number>();
  readonly #comesBefore: (left: Item, right: Item) => boolean;

  constructor(comesBefore: (left: Item, right: Item) => boolean) {
    this.#comesBefore = comesBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  push(item: Item): void {
    this.#place(this.#items.length, item);
    this.#rise(this.#items.length - 1);
  }

  pop(): Item | undefined {
    const first = this.#items[0];
    if (first !== undefined) this.remove(first);
    return first;
  }

  remove(item: Item): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    this.#places.delete(item);
    const last = this.#items.pop();
    if (last !== undefined && last !== item) {
      this.#place(place, last);
      this.#rise(place);
      this.#sink(place);
    }
    return true;
  }

  /** In no particular order. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items[Symbol.iterator]();
  }

  #place(place: number, item: Item): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }

  #rise(from: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#swapIfOutOfOrder(parent, place)) return;
      place = parent;
    }
  }

  #sink(from: number): void {
    let place = from;
    for (;;) {
      const child = this.#earlierChild(place);
      if (!this.#swapIfOutOfOrder(place, child)) return;
      place = child;
    }
  }

  #earlierChild(place: number): number {
    const left = this.#items[2 * place + 1];
    const right = this.#items[2 * place + 2];
    const takeRight = left !== undefined && right !== undefined && this.#comesBefore(right, left);
    return 2 * place + (takeRight ? 2 : 1);
  }

  #swapIfOutOfOrder(upper: number, lower: number): boolean {
    const above = this.#items[upper];
    const below = this.#items[lower];
    if (above === undefined || below === undefined) return false;
    if (!this.#comesBefore(below, above)) return false;
    this.#place(upper, below);
    this.#place(lower, above);
    return true;
  }
}
