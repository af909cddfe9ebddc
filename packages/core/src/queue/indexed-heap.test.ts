import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IndexedHeap } from "./indexed-heap.ts";

interface Weight {
  readonly value: number;
}

function heapOf(weights: readonly Weight[]): IndexedHeap<Weight> {
  const heap = new IndexedHeap<Weight>((left, right) => left.value < right.value);
  for (const weight of weights) heap.push(weight);
  return heap;
}

function drain(heap: IndexedHeap<Weight>): readonly number[] {
  const values = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) values.push(item.value);
  return values;
}

const weights = fc.array(fc.integer().map((value): Weight => ({ value })));

describe("indexed heap", () => {
  it("returns its items in order", () => {
    fc.assert(
      fc.property(weights, (items) => {
        const sorted = items.map(({ value }) => value).sort((left, right) => left - right);
        expect(drain(heapOf(items))).toEqual(sorted);
      }),
    );
  });

  it("keeps its order when items are removed from the middle", () => {
    fc.assert(
      fc.property(weights, fc.infiniteStream(fc.boolean()), (items, leaves) => {
        const heap = heapOf(items);
        const staying = items.filter((item) => {
          const goes = leaves.next().value === true;
          if (goes) expect(heap.remove(item)).toBe(true);
          return !goes;
        });
        const sorted = staying.map(({ value }) => value).sort((left, right) => left - right);
        expect(heap.size).toBe(sorted.length);
        expect(drain(heap)).toEqual(sorted);
      }),
    );
  });

  it("reports that an unknown item was not in it", () => {
    expect(heapOf([{ value: 1 }]).remove({ value: 1 })).toBe(false);
  });
});
