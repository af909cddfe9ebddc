import { describe, expect, it } from "vitest";
import { type CloudPage, type Listing, listPages } from "./list-pages.ts";

const CALL = { provider: "sandbox", operation: "GET /v1/instances", target: "all" };

/** Lists pages that a function makes; returns the error, if any, and how many pages were read. */
async function listed(page: (index: number) => CloudPage, listing: Partial<Listing> = {}) {
  let reads = 0;
  const result = await listPages({ call: CALL, ...listing }, async () => page(reads++)).catch(
    (error: unknown) => error,
  );
  return { result, reads };
}

it("reads to the last page", async () => {
  const pages = [{ items: [1], next: "b" }, { items: [], next: "c" }, { items: [2] }];
  const { result } = await listed((index) => pages[index] ?? { items: [] });
  expect(result).toEqual(pages);
});

it("requests each page by the cursor of the one before", async () => {
  const cursors: (string | undefined)[] = [];
  await listPages({ call: CALL }, async (cursor) => {
    cursors.push(cursor);
    return { items: [], next: cursors.length < 3 ? `c${cursors.length}` : null };
  });
  expect(cursors).toEqual([undefined, "c1", "c2"]);
});

describe("an endless listing fails as a whole", () => {
  const item = { items: [1] };
  it.each<[string, (index: number) => CloudPage, number, string]>([
    ["one cursor for ever", () => ({ ...item, next: "same" }), 2, "page 2 repeats a cursor"],
    ["a circle", (at) => ({ ...item, next: `c${at % 3}` }), 4, "page 4 repeats a cursor"],
    ["new cursors", (at) => ({ ...item, next: `c${at}` }), 250, "there are more than 250 pages"],
    ["empty pages", (at) => ({ items: [], next: `c${at}` }), 20, "20 pages in a row are empty"],
    ["a long cursor", () => ({ ...item, next: "c".repeat(20_000) }), 1, "has 20000 characters"],
  ])("of %s", async (_title, ...[page, expected, why]) => {
    const { result, reads } = await listed(page);
    expect(reads).toBe(expected);
    expect(result).toMatchObject({
      code: "OutOfBounds",
      message: expect.stringContaining(why),
      call: CALL,
    });
  });

  it("that takes too long", async () => {
    let now = 0;
    const monotonic = () => now;
    const slow = (index: number) => {
      now += 13_000;
      return { items: [1], next: `c${index}` };
    };
    const { result, reads } = await listed(slow, { monotonic });
    expect(reads).toBe(10);
    expect(result).toMatchObject({ message: expect.stringContaining("more than 120 s") });
  });

  it("whose pages together are too large, even only with the last one", async () => {
    const large = (index: number) => ({
      items: [1],
      bytes: 40 * 1_048_576,
      ...(index === 0 ? { next: "b" } : {}),
    });
    const { result } = await listed(large);
    expect(result).toMatchObject({
      code: "OutOfBounds",
      message: "the listing is larger than 64 MiB; none of it was used",
    });
  });
});
