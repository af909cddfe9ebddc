import { type CallRef, ProviderError } from "./errors.ts";
import { DEFAULT_ANSWER_BOUNDS } from "./http/bounded-answer.ts";

/** One page of a listing. */
export interface CloudPage {
  readonly items: readonly unknown[];
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string | null | undefined;
  /** Size of the page's body, where the provider knows it. */
  readonly bytes?: number | undefined;
}

/** The limits within which a listing is followed. */
export interface ListingBounds {
  readonly maxPages: number;
  /** Consecutive pages without an item. */
  readonly maxEmptyPages: number;
  /** Size of all pages together. */
  readonly maxBytes: number;
  /** Time from the first page on, milliseconds; no further page is requested after it. */
  readonly maxMs: number;
  readonly maxCursorLength: number;
}

export const DEFAULT_LISTING_BOUNDS: ListingBounds = {
  maxPages: 250,
  maxEmptyPages: 20,
  maxBytes: DEFAULT_ANSWER_BOUNDS.maxBytes,
  maxMs: 120_000,
  maxCursorLength: 16_384,
};

export interface Listing {
  /** The call as the error describes it. */
  readonly call: Pick<CallRef, "provider" | "operation" | "target">;
  /** Absent values are those of DEFAULT_LISTING_BOUNDS. */
  readonly bounds?: Partial<ListingBounds>;
  /** Returns the milliseconds of a monotonic clock. */
  readonly monotonic?: () => number;
}

/**
 * Reads a listing to its last page; every provider reads its listings through this. A missing page fails the whole listing, as half a
 * listing looks like absence. Throws ProviderError `OutOfBounds` for a listing without end: repeated cursors, more pages, empty pages or
 * bytes than any cloud has, or more time than allowed.
 */
export async function listPages<Page extends CloudPage>(
  listing: Listing,
  read: (cursor: string | undefined) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const limits = new ListingLimits(listing);
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    pages.push(page);
    cursor = page.next ?? undefined;
    limits.check(page, cursor);
  } while (cursor !== undefined);
  return pages;
}

class ListingLimits {
  readonly #call: Listing["call"];
  readonly #bounds: ListingBounds;
  readonly #monotonic: () => number;
  readonly #startedAt: number;
  readonly #cursors = new Set<string>();
  #pages = 0;
  #emptyPages = 0;
  #bytes = 0;

  constructor({ call, bounds, monotonic = () => performance.now() }: Listing) {
    this.#call = call;
    this.#bounds = { ...DEFAULT_LISTING_BOUNDS, ...bounds };
    this.#monotonic = monotonic;
    this.#startedAt = monotonic();
  }

  /** After the last page only the size is checked, as nothing more is requested. */
  check({ items, bytes = 0 }: CloudPage, next: string | undefined): void {
    this.#pages += 1;
    this.#bytes += bytes;
    this.#emptyPages = items.length === 0 ? this.#emptyPages + 1 : 0;
    const problem = this.#sizeProblem() ?? (next === undefined ? undefined : this.#problemOf(next));
    if (problem !== undefined) throw new ProviderError("OutOfBounds", problem, this.#call);
    if (next !== undefined) this.#cursors.add(next);
  }

  #sizeProblem(): string | undefined {
    const { maxBytes } = this.#bounds;
    if (this.#bytes <= maxBytes) return undefined;
    return `the listing is larger than ${Math.round(maxBytes / 1_048_576)} MiB; none of it was used`;
  }

  #problemOf(next: string): string | undefined {
    const { maxPages, maxEmptyPages, maxMs, maxCursorLength } = this.#bounds;
    if (this.#cursors.has(next)) return endless(`page ${this.#pages} repeats a cursor`);
    if (next.length > maxCursorLength) return endless(`a cursor has ${next.length} characters`);
    if (this.#pages >= maxPages) return endless(`there are more than ${maxPages} pages`);
    if (this.#emptyPages >= maxEmptyPages)
      return endless(`${maxEmptyPages} pages in a row are empty`);
    const spentMs = this.#monotonic() - this.#startedAt;
    if (spentMs <= maxMs) return undefined;
    return endless(`it went on for more than ${maxMs / 1_000} s`);
  }
}

function endless(why: string): string {
  return `the listing does not end: ${why}; none of it was used`;
}
