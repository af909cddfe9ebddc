/** Does the work for every item, a bounded number at a time, in order of the items. Rejects with the first error. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  { concurrency, work }: { concurrency: number; work: (item: Item) => Promise<void> },
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const drain = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, drain));
}
